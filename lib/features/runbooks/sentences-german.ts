/** The sentences of the tools of runbooks in German. */
import { fieldsInGerman, quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

export const RUNBOOK_SENTENCES: Readonly<Record<string, Sentence>> = {
  'ask-person': ({ question }) => `Ein Runbook fragt: ${quoted(question)}`,
  'give-answer': ({ text }) => `${quoted(text)} antworten`,
  'list-runbooks': ({ name }) => (name === undefined ? 'Die Runbooks auflisten' : `Das Runbook ${quoted(name)} zeigen`),
  'run-runbook': ({ runbook, inputs }) =>
    `Das Runbook ${String(runbook)} ausführen${fieldsInGerman(Object(inputs ?? {}))}`,
};
