/**
 * What the model is told of every tool: name, purpose and the JSON schema of its arguments. A file of its own, because only
 * Reason needs it, and the schema writer is a tenth of what the other functions carry. Pure.
 */
import * as z from 'zod/mini';
import { JsonObject, parseJson } from '../base/json.ts';
import type { Sensor } from '../signal/signal.ts';
import { onlyToolOf, TOOLS } from './catalogue.ts';
import type { Tool } from './tool.ts';

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

interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** The schema is written when somebody reads it, and once: writing all of them is 8 ms of a start that may ask no model. */
const describe = (tool: Tool): DescribedTool => {
  let written: JsonObject | undefined;
  return {
    name: tool.name,
    description: tool.description,
    get parameters() {
      written ??= parametersOf(tool);
      return written;
    },
  };
};

export const TOOL_DESCRIPTIONS: readonly DescribedTool[] = TOOLS.filter(
  (tool) => tool.isForPeople !== true && tool.onlyFor === undefined,
).map(describe);

/** What a turn is offered that a signal of this sensor began. */
export const toolsOf = (sensor: Sensor): readonly DescribedTool[] => {
  const only = onlyToolOf(sensor);
  return only === undefined ? TOOL_DESCRIPTIONS : [describe(only)];
};
