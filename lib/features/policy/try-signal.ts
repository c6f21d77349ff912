/**
 * Judges one stored decision under another policy, for a person who looks at it. Nothing is stored.
 */

import { ProtocolError } from '../../core/base/errors.ts';
import { loadEvidence } from '../../core/edge/console/evidence.ts';
import { NOTHING } from '../../core/edge/console/judge-again.ts';
import { type ConsoleDeps, parseBody, type RouteCall } from '../../core/edge/console/router.ts';
import { GATE_SET } from '../../core/gates/engine/gate-set.ts';
import { type HttpResponse, respondJson } from '../../core/http/function-url.ts';
import { NO_POLICY } from '../../core/judge/space-policy.ts';
import { countWords } from '../../core/text/quoted.ts';
import { parsePolicy } from './cedar.ts';
import { compilePolicy } from './compile-policy.ts';
import { loadEngine, loadShownTargets, PolicyBody } from './console.ts';
import { readShown } from './find-undeclared.ts';
import { tryPolicy } from './try-policy.ts';

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
