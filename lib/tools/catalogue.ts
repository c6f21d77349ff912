/**
 * All tools, as data: what is not in this list does not exist. A new tool is a file of its own and a line here; prompt,
 * gates and actuators find the rest through it. Pure.
 */
import * as z from 'zod/mini';
import { JsonObject, parseJson } from '../signal/json.ts';
import { problemSentences } from './argument-problems.ts';
import { callWebhook } from './call-webhook.ts';
import { currentTime } from './current-time.ts';
import { forget } from './forget.ts';
import { listMemory } from './list-memory.ts';
import { recall } from './recall.ts';
import { remember } from './remember.ts';
import type { Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [remember, recall, listMemory, forget, currentTime, callWebhook];

/** The tool of exactly this name. */
export const findTool = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name);

/**
 * JSON schema of a tool's arguments: an object that allows no other fields. `explanation` is not in it: whoever talks to
 * the model adds that to every tool.
 */
export const parametersOf = (tool: Tool): JsonObject => {
  const schema = z.toJSONSchema(tool.args, {
    override: ({ jsonSchema }) => {
      // Says nothing in JSON, and some providers refuse a schema that holds it.
      delete jsonSchema.propertyNames;
    },
  });
  const { $schema: _, ...parameters } = parseJson(`the schema of ${tool.name}`, JSON.stringify(schema), JsonObject);
  return parameters;
};

/** What is wrong with the arguments, in plain sentences without any of their values; empty when they fit. */
export const argumentProblems = (tool: Tool, args: JsonObject): readonly string[] => {
  const result = tool.args.safeParse(args);
  return result.success ? [] : problemSentences(result.error.issues, fieldsOf(tool), args);
};

const fieldsOf = (tool: Tool): readonly string[] => {
  const { properties } = parametersOf(tool);
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
};

/** What the model is told of every tool. */
export const TOOL_DESCRIPTIONS: readonly {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}[] = /* @__PURE__ */ TOOLS.map((tool) => ({
  name: tool.name,
  description: tool.description,
  parameters: parametersOf(tool),
}));
