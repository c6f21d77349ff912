/** The answers to the verbs of runbooks: fixed texts with names and values filled in. */
import { textTable } from '../../core/base/language.ts';
import { forPeople } from '../../core/language/for-people.ts';

const EN = {
  /** A reason as it is stored. */
  stored: forPeople,
  skill: (skill: string, hash: string) => `Skill ${skill}, SHA-256 ${hash}`,
  ofSkill: (skill: string) => `(skill ${skill})`,
  none: 'There is no runbook.',
  noRuns: 'No runbook has run yet.',
  notFound: (name: string) => `there is no runbook and no run ${name}; /runbook list, /runbook runs`,
  noRun: (id: string) => `there is no run ${id}; /runbook runs lists the newest`,
  noRunbook: (name: string) => `there is no runbook ${name}`,
  wasChanged: (name: string) => `the runbook ${name} was changed since; approve it again`,
  isStopped: 'It is stopped: no further step is done.',
  isAlready: (state: string) => `It is ${state} already.`,

  // A dry run.
  runNow: (name: string) => `A run of ${name} now (nothing was done):`,
  notKnown: (condition: string) => `only if ${condition}, which is not known yet`,
  failsRun: (problem: string) => `would fail the run: its condition ${problem}`,
  leftOut: (condition: string) => `would be left out: ${condition} is false`,
  wouldFail: (problem: string) => `would fail: it ${problem}`,
  openValues: 'Values in {{ }} are not known yet.',
  ifTakenBack: 'If it is taken back:',
  asksModel: 'one question to the model would be asked and paid',
  aText: 'a text',
  to: (place: string) => ` to ${place}`,
  outcomes: { pass: 'would be done', ask: 'would ask you first', block: 'would be refused' },
};
export type RunbookAnswers = typeof EN;

export const runbookAnswers = textTable(EN, { de: async () => (await import('./answer-texts-german.ts')).DE });
