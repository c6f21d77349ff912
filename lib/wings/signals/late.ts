/** What findings and stories load: most stacks have no machine, skill or server of tools. */
export { describeRunnerProblems } from '../../runner/runner-status.ts';
export { readActiveSkills } from '../../skills/active.ts';
export { actionSentence } from '../../tools/action-sentence.ts';
export { describeMcpProblems } from '../../tools/mcp/catalogue.ts';
