/**
 * The modules of findings, stories and receipts: most stacks have no server of tools.
 */
export { FEATURE_VIEWS } from '../../../features/views.ts';
export { findingTexts } from '../../language/finding-texts.ts';
export { describeOddities } from '../../llm/oddities.ts';
export { findFaults } from '../../llm/provider-cures.ts';
export { findAway } from '../../llm/provider-health.ts';
export { buildReceipt, receiptText } from '../../log/receipt.ts';
export { readActiveSkills } from '../../skills/active.ts';
export { actionSentence } from '../../tools/action-sentence.ts';
export { findMcpProblems } from '../../tools/mcp-catalogue.ts';
