/**
 * Tools that policies and `gates try` may name although nothing performs them: `policy init` has
 * always written rules about them. They are not in the catalogue, so no model is offered one, and a
 * proposal that names one is blocked. The gates judge what they declare.
 */
import * as z from 'zod/mini';
import type { ToolEffects } from '../signal/facts.ts';
import type { Tool } from './tool.ts';

/** Its name is none of the catalogue's. */
export type DeclaredTool = Pick<Tool, 'name' | 'tier' | 'args' | 'fields' | 'effects'>;

const SOMETHING = z.string().check(z.regex(/\S/));

const declare = <Shape extends z.core.$ZodShape>(
  name: string,
  tier: DeclaredTool['tier'],
  shape: Shape,
  effects: ToolEffects,
): DeclaredTool => ({ name, tier, args: z.strictObject(shape), fields: Object.keys(shape), effects });

export const DECLARED_TOOLS: readonly DeclaredTool[] = [
  // A policy calls every call of an MCP server's tool by this name.
  declare('mcp-call', 'ask', { server: SOMETHING, tool: SOMETHING }, { leavesSpace: true }),
];

export const findDeclaredTool = (name: string): DeclaredTool | undefined =>
  DECLARED_TOOLS.find((tool) => tool.name === name);
