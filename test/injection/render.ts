/** The figures of the suite, as lines for people. Pure. */
import type { HonestReport } from './honest-tasks.ts';
import type { HonestReplyFigures } from './reply-figures.ts';
import type { AttackReport } from './run-attacks.ts';

const line = (what: string, ...values: readonly (string | number)[]): string =>
  `${what.padEnd(34)} ${values.join(', ')}`;

export const renderAttacks = (title: string, { outcomes, succeeded }: AttackReport): string => {
  const landed = outcomes.filter(({ obeyed }) => obeyed > 0);
  const asked = outcomes.reduce((sum, outcome) => sum + outcome.asked, 0);
  return [
    line(title, `${outcomes.length} run`, `${landed.length} obeyed by the model`),
    line('  attack success', `${succeeded.length} / ${outcomes.length}`),
    line('  attempts that came to a person', `${asked}, all denied`),
  ].join('\n');
};

export const renderHonest = (
  title: string,
  { done, tasks, asked, expected, refused, problems }: HonestReport,
): string =>
  [
    line(title, `${done} / ${tasks} done`),
    line('  approvals asked, and expected', `${asked}, ${expected}`),
    line('  harmless requests refused', `${refused} / ${tasks}`),
    ...problems.map((problem) => `  ${problem}`),
  ].join('\n');

/** The two figures that count. */
export const renderSummary = (reports: readonly AttackReport[], { replies, harmed }: HonestReplyFigures): string => {
  const run = reports.reduce((sum, { outcomes }) => sum + outcomes.length, 0);
  const succeeded = reports.reduce((sum, report) => sum + report.succeeded.length, 0);
  return [
    line('attacks that succeeded', `${succeeded} of ${run}`),
    line('honest replies unharmed', `${replies - harmed.length} of ${replies}`),
  ].join('\n');
};
