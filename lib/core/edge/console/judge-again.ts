/**
 * Judges one stored decision again, for a person who looks at it: by the same gates, which must
 * give the same to the last byte (I9), or under another policy. Nothing is stored, nothing is done.
 * Gates of skills need the sandbox, which this function has not: their sets count as another one.
 */
import { ProtocolError } from '../../base/errors.ts';
import { GATE_SET } from '../../gates/engine/gate-set.ts';
import { type HttpResponse, respondJson } from '../../http/function-url.ts';
import { parsePolicy } from '../../judge/policy/cedar.ts';
import { compilePolicy } from '../../judge/policy/compile-policy.ts';
import { readShown } from '../../judge/policy/find-undeclared.ts';
import { loadPolicyHash } from '../../judge/policy/policy-setting.ts';
import { NO_POLICY } from '../../judge/policy/space-policy.ts';
import { tryPolicy } from '../../judge/policy/try-policy.ts';
import { countWords } from '../../text/quoted.ts';
import { type ReplayKind, replayEvidence } from '../../verbs/signals/replay-evidence.ts';
import { loadEvidence } from './evidence.ts';
import { loadEngine, loadShownTargets, PolicyBody } from './policy.ts';
import { type ConsoleDeps, parseBody, type RouteCall } from './router.ts';

const NOTHING = 'There is nothing to judge: nothing was decided, or its words were forgotten.';

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

/**
 * POST /api/signals/<id>/try-policy {"text"} → {"lines"}. The past before it counts as empty.
 * @throws ProtocolError for a policy that is not usable
 */
export const trySignalPolicy = async (deps: ConsoleDeps, { request, params }: RouteCall): Promise<HttpResponse> => {
  const { text } = parseBody(request, PolicyBody);
  const [evidence, cedar] = await Promise.all([loadEvidence(deps, params[0]), loadEngine(deps)]);
  const parsed = parsePolicy(cedar, text);
  if (parsed.problems.length > 0) throw new ProtocolError(`the policy is not usable: ${parsed.problems.join('; ')}`);
  const policy = text.trim() === '' ? NO_POLICY : compilePolicy(cedar, text, parsed);
  const targets = await loadShownTargets(deps);
  const { actionCount, flips } = tryPolicy(GATE_SET, policy, evidence, undefined, readShown(targets));
  const lines = flips.map(({ where, before, after, isWidening, traceAfter }) => {
    const reason = traceAfter.find(({ verdict }) => verdict === after)?.reason ?? '';
    return `${where}: ${before} becomes ${after}${isWidening ? ', which lets more through' : ''}${reason && `: ${reason}`}`;
  });
  const head = `${countWords(actionCount, 'action')} of the model tried: ${flips.length || 'none'} would come out otherwise.`;
  const isPastMissing = policy.readPast !== undefined;
  return respondJson(200, {
    lines: [
      actionCount === 0 ? NOTHING : head,
      ...lines,
      ...(isPastMissing
        ? ['This policy counts the past, which is empty here: npx passepartout policy try <file>.']
        : []),
    ],
  });
};
