/**
 * Tools the gates already know how to judge, although no actuator performs them yet. They are data for `gates try` and for
 * whoever installs the actuator: name, form of the arguments, permission. They are not in the catalogue, so the model is
 * never offered one, and a proposal that names one is blocked like any unknown tool.
 */
import * as z from 'zod/mini';
import type { JsonObject } from '../base/json.ts';
import { problemSentences } from './argument-problems.ts';

export interface DeclaredTool {
  /** Lower-case words joined by `-`; none of the catalogue's. */
  readonly name: string;
  /** Permission where no policy says otherwise. */
  readonly tier: 'allow' | 'ask' | 'deny';
  readonly args: z.ZodMiniType<Readonly<Record<string, unknown>>>;
  /** Names of the arguments. */
  readonly fields: readonly string[];
}

const SOMETHING = z.string().check(z.regex(/\S/));

const declare = <Shape extends z.core.$ZodShape>(
  name: string,
  tier: DeclaredTool['tier'],
  shape: Shape,
): DeclaredTool => ({ name, tier, args: z.strictObject(shape), fields: Object.keys(shape) });

export const DECLARED_TOOLS: readonly DeclaredTool[] = [
  declare('shell', 'ask', { cmd: SOMETHING }),
  declare('read-file', 'allow', { path: SOMETHING }),
  declare('write-file', 'ask', { path: SOMETHING, content: z.string() }),
  declare('fetch-url', 'ask', { url: SOMETHING }),
  // What a policy calls every call of an MCP server's tool.
  declare('mcp-call', 'ask', { server: SOMETHING, tool: SOMETHING }),
];

/** The declared tool of exactly this name. */
export const findDeclaredTool = (name: string): DeclaredTool | undefined =>
  DECLARED_TOOLS.find((tool) => tool.name === name);

/** What is wrong with the arguments, in plain sentences without any of their values; empty when they fit. */
export const declaredProblems = (tool: DeclaredTool, args: JsonObject): readonly string[] => {
  const result = tool.args.safeParse(args);
  return result.success ? [] : problemSentences(result.error.issues, tool.fields, args);
};
