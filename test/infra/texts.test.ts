/**
 * Files that say everything to people by a table of texts, in each language. A sentence that stands
 * in one of them is one that nobody translates. The compiler finds a sentence that German lacks.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';

/** A file that is converted is added here. */
const CONVERTED = [
  'lib/judge/notify.ts',
  'lib/stages/act/tell-people.ts',
  'lib/stages/act/tell-stopped.ts',
  'lib/stages/look-at-work.ts',
  'lib/stages/perceive/answer-approval.ts',
  'lib/stages/perceive/answer-operation.ts',
  'lib/stages/perceive/bare-answer.ts',
  'lib/stages/perceive/commands.ts',
  'lib/stages/perceive/help-lines.ts',
  'lib/stages/perceive/stop-and-resume.ts',
  'lib/stages/reason/publish-wait.ts',
  'lib/stages/upkeep/tell-of-run.ts',
  'lib/jobs/describe-job.ts',
  'lib/jobs/describe-rule.ts',
  'lib/runbooks/describe-run.ts',
  'lib/runbooks/describe-runbook.ts',
  'lib/skills/describe-jobs.ts',
  'lib/wings/jobs/dry-run.ts',
  'lib/wings/jobs/handlers.ts',
  'lib/wings/news/handlers.ts',
  'lib/wings/news/send-digests.ts',
  'lib/wings/runbooks/judged-lines.ts',
  'lib/wings/money/handlers.ts',
  'lib/wings/money/report-cost.ts',
  'lib/wings/notes/find-object.ts',
  'lib/wings/notes/find-project.ts',
  'lib/wings/notes/handlers.ts',
  'lib/wings/notes/look-into-memory.ts',
  'lib/wings/settings/handlers.ts',
  'lib/wings/signals/handlers.ts',
  'lib/wings/skills/handlers.ts',
];

/** Three words in a row within quotes, in no comment and no name of a condition of the table. */
const SENTENCE = /^(?!\s*(?:\*|\/[/*])|.*\bname: ['`]).*(['`])(?:(?!\1).)*\p{L}+ \p{L}+ \p{L}+(?:(?!\1).)*\1/u;

it.each(CONVERTED)('has %s say nothing to people outside the tables of texts', (file) => {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  expect(lines.filter((line) => SENTENCE.test(line))).toStrictEqual([]);
});

it('would find one', () => {
  expect(
    ["  text: 'Still at work on this.',", '  `It waits for two there`,'].every((line) => SENTENCE.test(line)),
  ).toBe(true);
});
