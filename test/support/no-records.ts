/** For tools that run without signals around them: there is nothing to look up. */

import type { ToolRecords } from '../../lib/core/tools/tool.ts';
import type { ForgettingPowers } from '../../lib/features/forgetting/tools.ts';

export const NO_RECORDS: ToolRecords = {
  loadPayload: async () => undefined,
  scriptStates: { load: async () => ({ text: '{}', origin: 'agent', turns: [] }), save: async () => undefined },
  loadFocus: async () => undefined,
  findSeen: async () => [],
  loadOutput: async () => undefined,
  loadSummarised: async () => undefined,
  walkSignals: async () => true,
  loadVectors: async () => [],
  keepOutput: async (_id, output) => ({ schemaVersion: 1, chars: output.text.length, ...output }),
};

/** Nothing says the note anywhere else. */
export const NO_TRACES: ForgettingPowers = {
  eraseTraces: async () => ({
    erased: [],
    covered: 0,
    literalSignals: [],
    literalObjects: [],
    approvals: [],
    grants: [],
    jobs: [],
    skills: [],
    summaries: [],
    literals: [],
    isWhole: true,
  }),
};
