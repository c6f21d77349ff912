/** Rows beside the figures: what else is proved, and by which file. Each must exist. */

/** OWASP Top 10 for Agentic Applications (2026), and what holds each row here. */
// biome-ignore format: one row per risk
export const OWASP: readonly (readonly [risk: string, files: readonly string[]])[] = [
  ['ASI01 goal hijack',                 ['test/proof/proof.test.ts', 'test/injection/attack-matrix.test.ts']],
  ['ASI02 tool misuse',                 ['test/proof/proof.test.ts', 'test/core/gates/rules/access.test.ts', 'test/features/mcp/mcp.test.ts']],
  ['ASI03 identity and privilege abuse', ['test/flow/token-scopes.test.ts', 'test/infra/permissions.test.ts']],
  ['ASI04 supply chain',                ['test/features/mcp/mcp.test.ts', 'test/features/skills/skills.test.ts']],
  ['ASI05 unexpected code execution',   ['test/core/sandbox/sandbox.test.ts', 'test/features/runner/shell/classify-command.test.ts']],
  ['ASI06 memory and context poisoning', ['test/injection/tending.test.ts', 'test/features/forgetting/forget-everywhere.test.ts']],
  ['ASI07 communication between agents', ['test/features/runner/signed.test.ts', 'test/features/runner/run-order.test.ts']],
  ['ASI08 cascading failures',          ['test/simulate/simulate.test.ts', 'test/flow/spend-storm.test.ts']],
  ['ASI09 trust of people exploited',   ['test/flow/approval-attacks.test.ts', 'test/flow/hidden-text.test.ts']],
  ['ASI10 rogue agents',                ['test/flow/stop-under-load.test.ts', 'test/core/gates/rules/standing-invariants.test.ts']],
];

// biome-ignore format: one row per proof
export const BESIDE: readonly (readonly [what: string, files: readonly string[]])[] = [
  ['30 schedules of faults in `npm test`, 2,000 by `npm run simulate`', ['test/simulate/simulate.test.ts']],
  ['Standard Webhooks: signatures of two foreign libraries, in and out', ['test/features/webhooks/schemes.test.ts', 'test/features/webhooks/actuator.test.ts']],
  ['answers that speak of what was not done: 500 lies and 500 honest ones',  ['test/features/claims/turn-line.test.ts', 'test/flow/true-words.test.ts']],
  ['a reader of the log in Go, with the Go team’s own libraries',      ['test/core/evidence/go.test.ts']],
];

const rowOf = ([name, files]: readonly [string, readonly string[]]): string =>
  `| ${name} | ${files.length === 0 ? 'nothing holds it' : files.map((file) => `\`${file}\``).join(', ')} |`;

export const renderHeld = (): string =>
  [
    '| also proved | by |',
    '|---|---|',
    ...BESIDE.map(rowOf),
    '',
    '| OWASP Agentic Top 10 | held by |',
    '|---|---|',
    ...OWASP.map(rowOf),
  ].join('\n');
