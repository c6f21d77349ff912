/** The form of a runbook as JSON Schema, by which an editor completes and checks a file. Pure. */
import * as z from 'zod/mini';
import { STEP_KINDS } from './build-steps.ts';
import { RunbookFile, StepFile } from './runbook-file.ts';

/** Draft 7: the newest one that editors of YAML know. */
export const buildRunbookSchema = (): object => ({
  ...z.toJSONSchema(RunbookFile, {
    target: 'draft-7',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === StepFile) jsonSchema.oneOf = STEP_KINDS.map((kind) => ({ required: [kind] }));
    },
  }),
  title: 'Runbook of Passepartout',
});
