/**
 * Judges one stored decision again, for a person who looks at it: by the same gates, which must
 * give the same to the last byte (I9). Nothing is stored, nothing is done.
 * Gates of skills need the sandbox, which this function has not: their sets count as another one.
 */
import { GATE_SET } from '../../gates/engine/gate-set.ts';
import { type HttpResponse, respondJson } from '../../http/function-url.ts';
import { loadPolicyHash } from '../../judge/policy-setting.ts';
import { countWords } from '../../text/quoted.ts';
import { type ReplayKind, replayEvidence } from '../../verbs/signals/replay-evidence.ts';
import { loadEvidence } from './evidence.ts';
import type { ConsoleDeps, RouteCall } from './router.ts';

export const NOTHING = 'There is nothing to judge: nothing was decided, or its words were forgotten.';

const BECAME: Readonly<Record<ReplayKind, string>> = {
  identical: 'came out the same to the last byte',
  different: 'came out otherwise: the record or the gates were changed',
  'other-version': 'of other gates or another policy: npx passepartout replay <signal>',
  forgotten: 'forgotten',
  withheld: "on an approval's card, which is not given out",
};

/** GET /api/signals/<id>/replay → {"lines"} */
export const replaySignal = async (deps: ConsoleDeps, { params }: RouteCall): Promise<HttpResponse> => {
  const [evidence, hash] = await Promise.all([loadEvidence(deps, params[0]), loadPolicyHash(deps.table, deps.space)]);
  const found = replayEvidence(GATE_SET, evidence, [hash]);
  const kinds = [...Map.groupBy(found, ({ kind }) => kind)];
  const lines = [
    ...kinds.map(([kind, those]) => `${countWords(those.length, 'judgement')} ${BECAME[kind]}.`),
    ...found.filter(({ kind }) => kind === 'different').map(({ where, difference }) => `${where}: ${difference}`),
  ];
  return respondJson(200, { lines: lines.length === 0 ? [NOTHING] : lines });
};
