/**
 * Tools as a model is shown them: as entries of the request, or as text for a model that cannot
 * call tools. Every entry asks for `explanation`, the model's reason for this call, because the
 * explanation gate blocks a call without one. Pure.
 */

import type { JsonObject } from '../base/json.ts';
import { EXPLANATION_CHARS_MIN } from '../base/limits.ts';
import type { ChatMessage, ModelRequest, ToolEntry } from './chat.ts';

/** `parameters` is the JSON schema of an object (`z.toJSONSchema` of the tool's arguments). */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** The rules of the prompt say what it is: each tool would repeat it in every turn. */
const EXPLANATION: JsonObject = { type: 'string', minLength: EXPLANATION_CHARS_MIN };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field `explanation` in the tool's own schema is replaced. */
export const buildToolEntry = (tool: ToolDescription): ToolEntry => {
  // Some providers refuse a schema that names its dialect.
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

const WRITTEN_CALLS =
  '\nYou cannot call tools directly. To call some, write nothing but one JSON object: {"text": "…", "calls": [{"tool": "…", "args": {…}, "explanation": "why, in a sentence"}]}. The tools:';

const showMessage = (message: ChatMessage): ChatMessage => {
  if (message.role === 'user') return message;
  if (message.role === 'tool') return { role: 'user', content: `Result of ${message.callId}:\n${message.content}` };
  if (message.calls.length === 0) return message;
  // The same form the model is asked to write; the arguments hold the explanation.
  const calls = message.calls.map((call) => `{"tool": ${JSON.stringify(call.name)}, "args": ${call.argumentsText}}`);
  const text = message.content === '' ? '' : `"text": ${JSON.stringify(message.content)}, `;
  return { role: 'assistant', content: `{${text}"calls": [${calls.join(', ')}]}`, calls: [] };
};

/** The conversation and its tools as plain text. `parseProposal` reads written calls. */
export const describeTools = ({ system, messages, tools, ...rest }: ModelRequest): ModelRequest => {
  const described = tools.map(
    ({ function: { name, description, parameters } }) => `${name}: ${description} ${JSON.stringify(parameters)}`,
  );
  const instructions = [system, WRITTEN_CALLS, ...described].join('\n');
  return { system: instructions, messages: messages.map(showMessage), tools: [], ...rest };
};
