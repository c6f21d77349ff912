/** The sentences of the tools of jobs in German. */

import { fieldsInGerman, namedInGerman as named, quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';
import type { NameCall } from '../../core/tools/tool.ts';
import { JobArgs, type Step, type Work } from './job.ts';
import { DE as JOBS } from './job-texts-german.ts';
import { shortRule } from './rule-words.ts';

const stepWords = (step: Step, nameCall: NameCall): string =>
  'say' in step ? `${quoted(step.say)} sagen` : nameCall(step.tool, step.args);

const workWords = (work: Work, nameCall: NameCall): string => {
  switch (work.kind) {
    case 'prompt':
      return `an ${quoted(work.text)} arbeiten`;
    case 'steps':
      return work.steps.map((step) => stepWords(step, nameCall)).join(', dann ');
    case 'runbook':
      return `das Runbook ${named(work.runbook)} ausführen${fieldsInGerman(work.inputs)}`;
    default:
      return work satisfies never;
  }
};

const jobSentence = ({ name, when, work, replaces }: JobArgs, nameCall: NameCall): string => {
  const rule = shortRule(when, JOBS);
  const words = `${rule.charAt(0).toUpperCase()}${rule.slice(1)}: ${workWords(work, nameCall)}`;
  return replaces === undefined ? `${words} (Auftrag ${name})` : `Den Auftrag ${name} ändern. ${words}`;
};

export const JOB_SENTENCES: Readonly<Record<string, Sentence>> = {
  'list-jobs': ({ name }) => (name === undefined ? 'Die Aufträge auflisten' : `Den Auftrag ${quoted(name)} zeigen`),
  'pause-job': ({ name }) => `Den Auftrag ${String(name)} pausieren`,
  'remove-job': ({ name }) => `Den Auftrag ${String(name)} entfernen`,
  'resume-job': ({ name }) => `Den Auftrag ${String(name)} fortsetzen`,
  'run-job': ({ name }) => `Den Auftrag ${String(name)} jetzt einmal ausführen`,
  'schedule-job': (args, nameCall) => jobSentence(JobArgs.parse(args), nameCall),
};
