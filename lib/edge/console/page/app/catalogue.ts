/** What the agent can be told, from its own description (`GET /api/openapi.json`). */
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
  /** What a form asks for. */
  readonly fields: readonly Field[];
  /** False if it takes more than a form of words can ask for. */
  readonly hasForm: boolean;
}

/** Empty until they were asked for. */
export const verbs = signal<readonly Verb[]>([]);

const isSimple = ({ type, enum: choices }: Schema): boolean =>
  choices !== undefined || ['string', 'integer', 'number', 'boolean'].includes(type ?? '');

const fieldsOf = ({ parameters, requestBody }: Described): readonly Field[] => {
  if (parameters !== undefined)
    return parameters.map(({ name, required, schema }) => ({ name, isRequired: required, schema }));
  const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {};
  return Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }));
};

const verbOf = (path: string, method: string, described: Described): Verb => {
  const fields = fieldsOf(described);
  const isOpen = described.requestBody?.content['application/json'].schema.additionalProperties !== false;
  const isLook = method === 'get';
  return {
    words: path.replace('/api/', '').replaceAll('/', ' '),
    noun: described.tags[0],
    summary: described.summary,
    path,
    isLook,
    fields: fields.filter(({ name, schema }) => isSimple(schema) && name !== 'cursor'),
    hasForm: (isLook || !isOpen) && fields.every(({ isRequired, schema }) => !isRequired || isSimple(schema)),
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
