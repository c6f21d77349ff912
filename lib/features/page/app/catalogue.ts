/** The commands that the agent takes, from its own description (`GET /api/openapi.json`). */
import { signal } from '@preact/signals';
import { get } from './server.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly Schema[];
}

interface Described {
  readonly summary: string;
  readonly tags: readonly [string];
  readonly parameters?: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

export interface Verb {
  /** Such as `jobs pause`. */
  readonly words: string;
  readonly noun: string;
  readonly summary: string;
  readonly path: string;
  readonly isLook: boolean;
  /** The fields of a form. */
  readonly fields: readonly Field[];
  /** False if it takes members that its description does not name. */
  readonly hasForm: boolean;
}

/** Empty until they were asked for. */
export const verbs = signal<readonly Verb[]>([]);

/** Such as a list: it is typed as JSON. */
export const isJson = ({ type, enum: choices, anyOf }: Schema): boolean =>
  choices === undefined && (type === 'object' || type === 'array' || anyOf?.some(isJson) === true);

const fieldsOf = ({ parameters, requestBody }: Described): readonly Field[] => {
  if (parameters !== undefined)
    return parameters.map(({ name, required, schema }) => ({ name, isRequired: required, schema }));
  const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {};
  return Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }));
};

const verbOf = (path: string, method: string, described: Described): Verb => {
  const isOpen = described.requestBody?.content['application/json'].schema.additionalProperties !== false;
  const isLook = method === 'get';
  return {
    words: path.replace('/api/', '').replaceAll('/', ' '),
    noun: described.tags[0],
    summary: described.summary,
    path,
    isLook,
    fields: fieldsOf(described).filter(({ name }) => name !== 'cursor'),
    hasForm: isLook || !isOpen,
  };
};

export const loadVerbs = async (): Promise<void> => {
  if (verbs.value.length > 0) return;
  const { paths } = await get<{ paths: Readonly<Record<string, Readonly<Record<string, Described>>>> }>(
    '/api/openapi.json',
  );
  verbs.value = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => verbOf(path, method, described)),
  );
};
