/** `npm run runbook-schema`: writes the form of a runbook; a test holds that it is current. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildRunbookSchema } from '../../../lib/features/runbooks/runbook-schema.ts';

export const RUNBOOK_SCHEMA_FILE = join(import.meta.dirname, '../../../lib/features/runbooks/runbook.schema.json');

export const runbookSchemaText = (): string => `${JSON.stringify(buildRunbookSchema(), null, 2)}\n`;

if (import.meta.main) writeFileSync(RUNBOOK_SCHEMA_FILE, runbookSchemaText());
