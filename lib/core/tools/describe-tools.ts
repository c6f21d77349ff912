/** Tools as the model is told of them. Only Reason loads this: the schema writer is large. Pure. */
import * as z from 'zod/mini';
import { JsonObject, parseJson } from '../base/json.ts';
import type { Sensor } from '../signal/signal.ts';
import { onlyToolOf, TOOLS } from './catalogue.ts';
import type { Tool } from './tool.ts';

const NOT_EMPTY = '\\S';

/** An object schema without further fields. `explanation` is added to every tool. */
export const parametersOf = (tool: Tool): JsonObject => {
  const schema = z.toJSONSchema(tool.draft ?? tool.args, {
    override: ({ jsonSchema }) => {
      // It says nothing in JSON, and some providers refuse it.
      delete jsonSchema.propertyNames;
      // A model gives no empty text, and each turn pays for these words.
      if (jsonSchema.pattern === NOT_EMPTY) delete jsonSchema.pattern;
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

/** The schema is written once, when it is first read: a start may ask no model. */
const describe = (tool: Tool): DescribedTool => {
  let written: JsonObject | undefined;
  return {
    name: tool.name,
    description: tool.description ?? '',
    get parameters() {
      written ??= parametersOf(tool);
      return written;
    },
  };
};

export const TOOL_DESCRIPTIONS: readonly DescribedTool[] = TOOLS.filter(
  (tool) => tool.isForPeople !== true && tool.isMaintenance !== true && tool.onlyFor === undefined,
).map(describe);

/** The tools offered in a turn that such a signal began. */
export const toolsOf = (sensor: Sensor): readonly DescribedTool[] => {
  const only = onlyToolOf(sensor);
  return only === undefined ? TOOL_DESCRIPTIONS : [describe(only)];
};
