/**
 * The modules of findings, stories and receipts: most stacks have no machine or server of tools.
 */
export { describeOddities } from '../../llm/oddities.ts';
export { describeFaults } from '../../llm/provider-cures.ts';
export { describeAway } from '../../llm/provider-health.ts';
export { buildReceipt, receiptText } from '../../log/receipt.ts';
export { describeRunnerProblems } from '../../runner/runner-status.ts';
export { readActiveSkills } from '../../skills/active.ts';
export { actionSentence } from '../../tools/action-sentence.ts';
export { describeMcpProblems } from '../../tools/mcp/catalogue.ts';
