/** The sentence of the tool of helpers in German. */
import { showUsd } from '../../core/base/money.ts';
import { DELEGATE } from '../../core/signal/job-run.ts';
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';
import { TaskArgs } from './task-args.ts';

export const DELEGATION_SENTENCES: Readonly<Record<string, Sentence>> = {
  [DELEGATE]: (args) => {
    const { words, tools, capUsd } = TaskArgs.parse(args);
    return `Einen Helfer an ${quoted(words)} arbeiten lassen, mit ${tools.join(', ')}, für höchstens ${showUsd(capUsd)}`;
  },
};
