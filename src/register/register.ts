/**
 * `node --import reasoning-otel/register app.js`, or `node --require reasoning-otel/register app.js`: observes the model
 * calls of an application that knows nothing of it.
 */
import { begin } from './begin.ts';

begin();
