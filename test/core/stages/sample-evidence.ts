/**
 * Evidence as the console gives it out, made by the gates in force: what `replay` and `policy try`
 * are tested on.
 */

import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { verifyFully } from '../../../lib/core/gates/engine/verify.ts';
import { buildPolicyVersion } from '../../../lib/core/judge/judge.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { JudgedAction } from '../../../lib/core/signal/decision.ts';
import type { Facts } from '../../../lib/core/signal/facts.ts';
import { Evidence } from '../../../lib/core/verbs/signals/signal-evidence.ts';
import { factsFor } from '../gates/samples.ts';

export const judgeSample = async (
  action: Action,
  changes: Partial<Facts> = {},
  gateSet = GATE_SET,
): Promise<JudgedAction> => {
  const policyVersion = buildPolicyVersion(gateSet);
  const { reason: _, ...judged } = await verifyFully(gateSet, action, async (asked) =>
    factsFor(asked, { policyVersion, ...changes }),
  );
  return { ...judged, trace: [...judged.trace], facts: [...judged.facts] };
};

/** Through JSON and the schema, as over HTTP. */
export const sampleEvidence = (id: string, judged: readonly JudgedAction[], over: Partial<Evidence> = {}): Evidence =>
  Evidence.parse(
    JSON.parse(
      JSON.stringify({
        id,
        session: 'console:main',
        reply: { target: 'console', to: 'main' },
        receivedAt: 1_790_000_000_000,
        attempts: [],
        decision: {
          schemaVersion: 1,
          signalId: id,
          at: 1_790_000_000_100,
          outcome: 'act',
          reason: '',
          gateSet: GATE_SET.version,
          policyVersion: judged[0]?.facts[0]?.policyVersion ?? buildPolicyVersion(GATE_SET),
          attemptCount: 1,
          actions: judged,
        },
        effects: [],
        withheld: [],
        isForgotten: false,
        ...over,
      }),
    ),
  );
