/**
 * Writes `lib/runbooks/runbook.schema.json` from the form of a runbook. `npm run runbook-schema`
 * runs it; a test holds that the file is current.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildRunbookSchema } from '../lib/runbooks/runbook-schema.ts';

export const RUNBOOK_SCHEMA_FILE = join(import.meta.dirname, '..', 'lib', 'runbooks', 'runbook.schema.json');

export const runbookSchemaText = (): string => `${JSON.stringify(buildRunbookSchema(), null, 2)}\n`;

if (import.meta.main) writeFileSync(RUNBOOK_SCHEMA_FILE, runbookSchemaText());
