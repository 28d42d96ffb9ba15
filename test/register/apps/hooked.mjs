// Shows whether the other instrumentation sees its module.
import 'valibot';
import './endings.mjs';

console.log('other hook', globalThis.otherHook === true);
