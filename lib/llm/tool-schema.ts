/**
 * Turns a tool's description into the entry a model sees, with the one field every call must have: `explanation`, the
 * model's own reason for this call. The explanation gate blocks a call without one, so the schema asks for it. Pure.
 */

import type { JsonObject } from '../base/json.ts';
import { EXPLANATION_CHARS_MIN } from '../base/limits.ts';
import type { ToolEntry } from './chat.ts';

/** A tool as the prompt needs it. `parameters` is the JSON schema of an object (`z.toJSONSchema` of the tool's args). */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

const EXPLANATION: JsonObject = {
  type: 'string',
  minLength: EXPLANATION_CHARS_MIN,
  description: 'Why now, in one sentence of your own.',
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The `tools` entry of one tool. A field called `explanation` in the tool's own schema is replaced. */
export const buildToolEntry = (tool: ToolDescription): ToolEntry => {
  // `$schema` names a dialect that some providers do not know, and refuse.
  const { $schema: _, properties, required, ...rest } = tool.parameters;
  const names = Array.isArray(required) ? required.filter((name) => name !== 'explanation') : [];
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      parameters: {
        ...rest,
        type: 'object',
        properties: { ...(isObject(properties) ? properties : {}), explanation: EXPLANATION },
        required: [...names, 'explanation'],
      },
    },
  };
};
