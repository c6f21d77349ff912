/** The words that accept what an MCP server offers, as a person types them. Pure. */
import { FACT_NAMES } from '../store/declared-facts.ts';
import { type McpServer, type McpTool, offerHash } from './mcp-catalogue.ts';

/** The declared facts of tools, as `/mcp accept` takes them: `pay.amount=amount`. */
const factWords = (tools: readonly McpTool[]): readonly string[] =>
  tools.flatMap((tool) =>
    FACT_NAMES.flatMap((name) => (tool[name] === undefined ? [] : [`${tool.remote}.${name}=${tool[name]}`])),
  );

/** A name that can stand in a list of names. */
const LISTED = /^[^\s=,]{1,128}$/;
export const namesOf = (tools: readonly McpTool[]): string =>
  tools.flatMap(({ remote }) => (LISTED.test(remote) ? [remote] : [])).join(',');

const readWords = (reads: readonly McpTool[]): readonly string[] => {
  const names = namesOf(reads);
  return names === '' ? [] : [`reads=${names}`];
};

/** The words behind `/mcp accept` for what is offered, or accepted, with one tool otherwise. */
export const acceptWords = (
  { name, accepted, offered }: McpServer,
  changed?: McpTool,
  reads: readonly McpTool[] = (offered ?? accepted).filter(({ passes }) => passes),
): string => {
  const tools = accepted.map((tool) => (tool.name === changed?.name ? changed : tool));
  return [name, offerHash(offered ?? accepted), ...factWords(tools), ...readWords(reads)].join(' ');
};
