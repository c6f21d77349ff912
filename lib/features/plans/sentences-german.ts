/** The sentences of the tools of plans in German, as `tools.ts` has them in English. */
import { type Json, JsonObject } from '../../core/base/json.ts';
import { quotedInGerman as quoted } from '../../core/text/quoted-german.ts';
import type { Sentence } from '../../core/tools/sentence.ts';

const count = (value: Json | undefined, one: string, many: string): string => {
  const n = Array.isArray(value) ? value.length : 0;
  return `${n} ${n === 1 ? one : many}`;
};

export const PLAN_SENTENCES: Readonly<Record<string, Sentence>> = {
  'write-plan': ({ title, steps }) =>
    title === undefined
      ? `${count(steps, 'Aufruf', 'Aufrufe')} in einen Plan schreiben`
      : `Den Plan ${quoted(title)} mit ${count(steps, 'Schritt', 'Schritten')} schreiben`,
  'run-plan': ({ title, steps }, nameCall) => {
    const calls = (Array.isArray(steps) ? steps : []).map((step, n) => {
      const { tool, args } = JsonObject.safeParse(step).data ?? {};
      return `${n + 1}. ${nameCall(String(tool), JsonObject.safeParse(args).data ?? {})}`;
    });
    return `Den Plan ${quoted(title)} ausführen: ${calls.join('; ')}`;
  },
  'mark-plan': () => 'Die Zustände der Schritte eines Plans eintragen',
};
