// Writes a log record, and ends.
import { logs } from '@opentelemetry/api';

logs.getLogger('application').emit({ body: 'a record' });
