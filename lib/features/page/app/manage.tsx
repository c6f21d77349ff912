/** Everything the agent can be told, as forms made of its own description. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SignalView } from '../../../core/verbs/signals/view.ts';
import { type Field, isJson, loadVerbs, type Verb, verbs } from './catalogue.ts';
import { language, phrase } from './language.ts';
import { Button, Card, Lines, langOf, Outside, Reason, Words } from './parts.tsx';
import { choicesOf, loadPick, pickOf } from './picks.ts';
import { route, to } from './route.ts';
import { attempt, describeFailure, get, post, query } from './server.ts';
import { isApprover, lookAtChange } from './state.ts';

const WAIT_MS = 400;
/** Some twenty seconds: what takes longer is seen in its decision. */
const WAITS_MAX = 50;

export interface Answer {
  readonly lines: readonly string[];
  /** Whether the page itself says them. */
  readonly isOwn?: boolean;
  /** The signal that a change became. */
  readonly id?: string;
  /** More follows. */
  readonly cursor?: string;
}

/** Waits until the change has ended, or waits for a yes. */
export const followChange = async (id: string): Promise<Answer> => {
  for (let waits = 0; waits < WAITS_MAX; waits += 1) {
    const { turn, state, stateReason, replies } = await get<SignalView>(`/api/signals/${id}`);
    if (turn === 'waiting') return { id, isOwn: true, lines: [phrase('waitsForYes')] };
    if (turn === 'ended') return { id, lines: replies.length > 0 ? replies : [stateReason ?? state] };
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  return { id, isOwn: true, lines: [phrase('stillAtWork')] };
};

interface ChangeProps {
  readonly label: string;
  readonly path: string;
  readonly body: object;
  readonly kind?: '' | 'primary' | 'danger';
}

export const AnswerLines = ({ answer: { lines, isOwn = false } }: { readonly answer: Answer }) => (
  <Lines lines={lines} {...(isOwn ? { lang: language.value } : {})} />
);

/** A change that a command makes: says what became of it. */
export const Change = ({ label, path, body, kind = '' }: ChangeProps) => {
  const answer = useSignal<Answer>({ lines: [] });
  return (
    <>
      <Button
        label={label}
        kind={kind}
        onPress={async () => {
          const { id } = await post<{ id: string }>(path, body);
          answer.value = await followChange(id);
          lookAtChange();
        }}
      />
      <div role="status">
        <AnswerLines answer={answer.value} />
      </div>
    </>
  );
};

type Values = Readonly<Record<string, string>>;

const parseTyped = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(phrase('mustBeJson')(name));
  }
};

const convert = ({ name, schema }: Field, value: string): unknown => {
  if (schema.type === 'boolean') return value === 'true';
  if (schema.type === 'integer' || schema.type === 'number') return Number(value);
  return isJson(schema) ? parseTyped(name, value) : value;
};

const perform = async ({ isLook, path, fields }: Verb, values: Values): Promise<Answer> => {
  if (isLook) return get<Answer>(path + query(values));
  const given = fields.filter(({ name }) => (values[name] ?? '') !== '');
  const body = Object.fromEntries(given.map((field) => [field.name, convert(field, values[field.name] ?? '')]));
  const { id } = await post<{ id: string }>(path, body);
  const answer = await followChange(id);
  lookAtChange();
  return answer;
};

interface InputProps {
  readonly noun: string;
  readonly field: Field;
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const Input = ({ noun, field: { name, isRequired, schema }, id, value, onChange }: InputProps) => {
  const pick = pickOf(noun, name);
  useEffect(() => {
    if (pick !== undefined) void attempt(() => loadPick(pick));
  }, [pick]);
  const about = schema.description === undefined ? undefined : `${id}/about`;
  const choices = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined);
  const change = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    onChange(currentTarget.value);
  return (
    <div class="field">
      <label for={id}>
        <Words text={name} />
        {isRequired ? '' : phrase('optional')}
      </label>
      {choices === undefined ? (
        <input
          id={id}
          list={pick && `${id}/list`}
          required={isRequired}
          placeholder={isJson(schema) ? phrase('asJson') : undefined}
          aria-describedby={about}
          value={value}
          onInput={change}
        />
      ) : (
        <select id={id} required={isRequired} aria-describedby={about} value={value} onChange={change}>
          <option value="">{phrase('choose')}</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
      {pick !== undefined && (
        <datalist id={`${id}/list`}>
          {choicesOf(pick).map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {schema.description !== undefined && (
        <Outside kind="soft" id={about} text={schema.description} lang={langOf(schema.description)} />
      )}
    </div>
  );
};

const isNeeded = ({ isRequired }: Field): boolean => isRequired;

const Form = ({ verb }: { readonly verb: Verb }) => {
  const values = useSignal<Values>({});
  const answer = useSignal<Answer | undefined>(undefined);
  const failure = useSignal('');
  const isBusy = useSignal(false);
  const submit = async (cursor = ''): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    const before = cursor === '' ? [] : (answer.value?.lines ?? []);
    try {
      const found = await perform(verb, { ...values.value, cursor });
      answer.value = { ...found, lines: [...before, ...found.lines] };
      failure.value = '';
    } catch (error) {
      failure.value = describeFailure(error);
    }
    isBusy.value = false;
  };
  // A look that needs nothing answers by itself.
  useEffect(() => {
    if (verb.isLook && !verb.fields.some(isNeeded)) void submit();
  }, [verb]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {verb.fields.map((field) => (
        <Input
          key={field.name}
          noun={verb.noun}
          field={field}
          id={`${verb.path}/${field.name}`}
          value={values.value[field.name] ?? ''}
          onChange={(value) => {
            values.value = { ...values.value, [field.name]: value };
          }}
        />
      ))}
      <div class="row">
        <button type="submit" class={verb.isLook ? '' : 'primary'} aria-disabled={isBusy.value}>
          {verb.isLook ? phrase('show') : phrase('doIt')}
        </button>
        {isBusy.value && <span class="soft">{phrase('busy')}</span>}
      </div>
      <div role="status">
        {failure.value !== '' && (
          <p class="problem">
            <Reason why={failure.value} />
          </p>
        )}
        {answer.value !== undefined && failure.value === '' && <AnswerLines answer={answer.value} />}
        {answer.value?.cursor !== undefined && (
          <Button label={phrase('more')} onPress={() => submit(answer.value?.cursor)} />
        )}
        {answer.value?.id !== undefined && <a href={to('decisions', answer.value.id)}>{phrase('itsDecision')}</a>}
      </div>
    </form>
  );
};

const VerbBlock = ({ verb, isOpen }: { readonly verb: Verb; readonly isOpen: boolean }) => {
  const isShown = useSignal(isOpen);
  return (
    <details
      class="verb"
      open={isShown.value}
      onToggle={({ currentTarget }) => {
        isShown.value = currentTarget.open;
      }}
    >
      <summary>
        <strong lang="en">
          {[verb.words, ...verb.fields.filter(isNeeded).map(({ name }) => `<${name}>`)].join(' ')}
        </strong>{' '}
        <Words kind="soft" text={verb.summary} />
      </summary>
      {isShown.value && verb.hasForm && <Form verb={verb} />}
      {!verb.hasForm && <p class="soft">{phrase('noForm')}</p>}
    </details>
  );
};

/** The list of signals has a view of its own, and no lines to show here. */
const LISTED = '/api/signals';

const mayDo = ({ isLook, path }: Verb): boolean => path !== LISTED && (isLook || isApprover.value);

/** Verbs that stand alone share one page. */
const OTHERS = 'others';
/** The nouns of things that people make themselves; the rest is folded. */
const OWN: readonly string[] = ['jobs', 'runbook', 'hooks', 'chats', 'project', 'skill', 'memory', 'runners'];

const nounTitle = (noun: string): string => (noun === OTHERS ? phrase('otherCommands') : noun);

const nounLang = (noun: string): 'en' | undefined => (noun === OTHERS ? undefined : 'en');

const groupByNoun = (mine: readonly Verb[]): ReadonlyMap<string, readonly Verb[]> => {
  const groups = Map.groupBy(mine, ({ noun }) => noun);
  const alone = [...groups.values()].filter((those) => those.length === 1).flat();
  const several = [...groups].filter(([, those]) => those.length > 1);
  return new Map([...several, ...(alone.length === 0 ? [] : [[OTHERS, alone] as const])]);
};

const NounLinks = ({ nouns, shown }: { readonly nouns: readonly string[]; readonly shown: string }) => (
  <ul class="links">
    {nouns.map((one) => (
      <li key={one}>
        <a href={to('manage', one)} aria-current={one === shown} lang={nounLang(one)}>
          {nounTitle(one)}
        </a>
      </li>
    ))}
  </ul>
);

export const Manage = () => {
  useEffect(() => void attempt(loadVerbs), []);
  const groups = groupByNoun(verbs.value.filter(mayDo));
  const nouns = [...groups.keys()];
  const own = OWN.filter((one) => groups.has(one));
  const folded = nouns.filter((one) => !own.includes(one));
  const noun = route.value[1] ?? own[0] ?? nouns[0] ?? '';
  const shown = groups.get(noun) ?? [];
  return (
    <div class="aside">
      <Card title={phrase('manage')} id="nouns">
        <NounLinks nouns={own} shown={noun} />
        {folded.length > 0 && (
          <details open={folded.includes(noun)}>
            <summary>{phrase('moreCommands')}</summary>
            <NounLinks nouns={folded} shown={noun} />
          </details>
        )}
      </Card>
      <Card title={nounTitle(noun)} id="verbs" lang={nounLang(noun)}>
        {shown.map((verb) => (
          <VerbBlock
            key={`${verb.isLook} ${verb.path}`}
            verb={verb}
            isOpen={verb === shown[0] && verb.isLook && noun !== OTHERS}
          />
        ))}
        {shown.length === 0 && (
          <p class="empty">{verbs.value.length === 0 ? phrase('asking') : phrase('nothingHere')}</p>
        )}
      </Card>
    </div>
  );
};
