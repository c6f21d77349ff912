/** Forms with pick lists for what people make most: a job, and the start of a runbook. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { phrase } from './language.ts';
import { type Answer, AnswerLines, followChange } from './manage.tsx';
import { Outside } from './parts.tsx';
import { choicesOf, loadPick, type Pick } from './picks.ts';
import { attempt, get, post, query } from './server.ts';
import type { ShownJob } from './shown-job.ts';
import { jobs, lookAtChange } from './state.ts';
import type { PlainKey } from './texts.ts';

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly about?: string | undefined;
  readonly pick?: Pick | undefined;
  readonly example?: string | undefined;
  readonly isRequired?: boolean;
  readonly isLong?: boolean;
  /** A key or token: it is not shown, and no browser keeps it. */
  readonly isSecret?: boolean;
  readonly onChange: (value: string) => void;
}

/** A field that offers what exists, and takes other words too. */
export const TextField = (props: TextFieldProps) => {
  const {
    id,
    label,
    value,
    about,
    pick,
    example,
    isRequired = true,
    isLong = false,
    isSecret = false,
    onChange,
  } = props;
  useEffect(() => {
    if (pick !== undefined) void attempt(() => loadPick(pick));
  }, [pick]);
  const shared = {
    ...{ id, value, required: isRequired, placeholder: example },
    'aria-describedby': about === undefined ? undefined : `${id}/about`,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
      onChange(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isLong ? (
        <textarea rows={3} {...shared} />
      ) : isSecret ? (
        <input type="password" autocomplete="off" spellcheck={false} {...shared} />
      ) : (
        <input list={pick && `${id}/list`} {...shared} />
      )}
      {pick !== undefined && (
        <datalist id={`${id}/list`}>
          {choicesOf(pick).map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {about !== undefined && <Outside kind="soft" id={`${id}/about`} text={about} />}
    </div>
  );
};

interface ChoiceProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, shown: string])[];
  readonly onChange: (value: string) => void;
}

export const Choice = ({ id, label, value, choices, onChange }: ChoiceProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {choices.map(([name, shown]) => (
        <option key={name} value={name}>
          {shown}
        </option>
      ))}
    </select>
  </div>
);

interface Submit {
  readonly id: string;
  readonly label: string;
  readonly send: () => Promise<{ readonly id: string }>;
}

/** The button of a form, and below it what became of the change. */
export const useSubmit = ({ id, label, send }: Submit) => {
  const answer = useSignal<Answer | undefined>(undefined);
  const isBusy = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    answer.value = undefined;
    await attempt(async () => {
      answer.value = await followChange((await send()).id);
      lookAtChange();
    });
    isBusy.value = false;
  };
  const button = (
    <>
      <div class="row">
        <button type="submit" id={id} class="primary" aria-disabled={isBusy.value}>
          {label}
        </button>
      </div>
      <div role="status">{answer.value !== undefined && <AnswerLines answer={answer.value} />}</div>
    </>
  );
  return { submit: (event: Event) => void submit(event), button };
};

interface InputsProps {
  readonly runbook: string;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

interface Input {
  readonly name: string;
  readonly meaning: string;
  readonly default?: string;
}

/** A field for each value that a runbook asks for. */
const Inputs = ({ runbook, values, onChange }: InputsProps) => {
  const inputs = useSignal<readonly Input[]>([]);
  useEffect(() => {
    inputs.value = [];
    if (choicesOf('runbooks').includes(runbook))
      void attempt(async () => {
        const path = `/api/runbook/show${query({ name: runbook })}`;
        inputs.value = (await get<{ inputs?: readonly Input[] }>(path)).inputs ?? [];
      });
  }, [runbook, choicesOf('runbooks').length]);
  return (
    <>
      {inputs.value.map(({ name, meaning, default: usual }) => (
        <TextField
          key={name}
          id={`input-${name}`}
          label={name}
          about={meaning}
          example={usual}
          isRequired={usual === undefined}
          value={values[name] ?? ''}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
    </>
  );
};

const given = (values: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

export const RunbookForm = () => {
  const runbook = useSignal('');
  const inputs = useSignal<Readonly<Record<string, string>>>({});
  const { submit, button } = useSubmit({
    ...{ id: 'start-run', label: phrase('startRun') },
    send: () => post('/api/runbook/run', { runbook: runbook.value, inputs: given(inputs.value) }),
  });
  return (
    <form onSubmit={submit}>
      <TextField
        id="start-runbook"
        label={phrase('whichRunbook')}
        pick="runbooks"
        value={runbook.value}
        onChange={(value) => {
          runbook.value = value;
          inputs.value = {};
        }}
      />
      <Inputs
        runbook={runbook.value}
        values={inputs.value}
        onChange={(values) => {
          inputs.value = values;
        }}
      />
      {button}
    </form>
  );
};

const RULES = ['every', 'at', 'cron', 'event', 'condition'] as const;
type RuleKind = (typeof RULES)[number];
const RULE_WORDS: ReadonlyMap<RuleKind, PlainKey> = new Map([
  ['every', 'ruleEvery'],
  ['at', 'ruleAt'],
  ['cron', 'ruleCron'],
  ['event', 'ruleEvent'],
  ['condition', 'ruleCondition'],
]);
const EXAMPLES: Readonly<Record<RuleKind, string>> = {
  every: '90m',
  at: '2026-11-24T09:00',
  cron: '0 8 * * 1-5',
  event: 'github/push',
  condition: 'facts.approvalsWaiting',
};

const WORKS = ['say', 'prompt', 'runbook', 'kept'] as const;
type WorkKind = (typeof WORKS)[number];
const WORK_WORDS: ReadonlyMap<WorkKind, PlainKey> = new Map([
  ['say', 'workSay'],
  ['prompt', 'workPrompt'],
  ['runbook', 'workRunbook'],
  ['kept', 'workKept'],
]);

interface FormDraft {
  readonly name: string;
  readonly rule: RuleKind;
  readonly when: string;
  readonly kind: WorkKind;
  readonly what: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Places with commas between them. */
  readonly to: string;
}

const EMPTY: FormDraft = { name: '', rule: 'every', when: '', kind: 'say', what: '', inputs: {}, to: 'console:main' };

type DraftPart<K extends keyof FormDraft> = { readonly [Name in K]: FormDraft[Name] };

const readRule = ({ when }: ShownJob['definition']): DraftPart<'rule' | 'when'> => {
  switch (when.kind) {
    case 'once':
      return { rule: 'at', when: when.at };
    case 'every':
      return { rule: 'every', when: `${when.minutes}m` };
    case 'cron':
      return { rule: 'cron', when: when.cron };
    case 'event':
      return { rule: 'event', when: [when.source, when.event].filter(Boolean).join('/') };
    case 'condition':
      return { rule: 'condition', when: when.holds };
    default:
      return when satisfies never;
  }
};

const readWork = ({ work }: ShownJob['definition']): DraftPart<'kind' | 'what' | 'inputs'> => {
  if (work.kind === 'prompt') return { kind: 'prompt', what: work.text, inputs: {} };
  if (work.kind === 'runbook') return { kind: 'runbook', what: work.runbook, inputs: work.inputs };
  const [step] = work.steps;
  return work.steps.length === 1 && step !== undefined && 'say' in step
    ? { kind: 'say', what: step.say, inputs: {} }
    : { kind: 'kept', what: '', inputs: {} };
};

const draftOf = ({ name, definition }: ShownJob): FormDraft => ({
  ...{ name, to: definition.to.map(({ target, to }) => `${target}:${to}`).join(', ') },
  ...readRule(definition),
  ...readWork(definition),
});

const workOf = ({ kind, what, inputs }: FormDraft): object => {
  if (kind === 'say') return { steps: [{ say: what }] };
  if (kind === 'prompt') return { prompt: what };
  return kind === 'runbook' ? { runbook: what, inputs: given(inputs) } : {};
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The parts that a person changed: what is left out stays as it is. */
const bodyOf = (draft: FormDraft, before: FormDraft | undefined): object => {
  const is = (...names: readonly (keyof FormDraft)[]): boolean =>
    before !== undefined && names.every((name) => isSame(draft[name], before[name]));
  return {
    name: draft.name,
    ...(is('rule', 'when') ? {} : { [draft.rule]: draft.when }),
    ...(is('kind', 'what', 'inputs') ? {} : workOf(draft)),
    ...(is('to') ? {} : { to: draft.to.split(/[\s,]+/).filter(Boolean) }),
  };
};

/** Makes a job, or changes one of one's own. */
export const JobForm = () => {
  const chosen = useSignal('');
  const draft = useSignal(EMPTY);
  const own = jobs.value.filter(({ isBuiltIn }) => isBuiltIn !== true);
  const job = own.find(({ name }) => name === chosen.value);
  const change = (changed: Partial<FormDraft>): void => {
    draft.value = { ...draft.value, ...changed };
  };
  const { submit, button } = useSubmit({
    ...{ id: 'save-job', label: phrase(job === undefined ? 'makeJob' : 'changeJob') },
    send: () =>
      post(
        job === undefined ? '/api/jobs/add' : '/api/jobs/edit',
        bodyOf(draft.value, job === undefined ? undefined : draftOf(job)),
      ),
  });
  const { name, rule, when, kind, what, inputs, to } = draft.value;
  const kinds = WORKS.filter((one) => one !== 'kept' || kind === 'kept');
  return (
    <form onSubmit={submit}>
      <Choice
        id="job-which"
        label={phrase('whichJob')}
        value={chosen.value}
        choices={[['', phrase('newJob')], ...own.map((one) => [one.name, one.name] as const)]}
        onChange={(value) => {
          chosen.value = value;
          const found = own.find((one) => one.name === value);
          draft.value = found === undefined ? EMPTY : draftOf(found);
        }}
      />
      {job === undefined && (
        <TextField
          id="job-name"
          label={phrase('jobName')}
          value={name}
          onChange={(value) => change({ name: value.toLowerCase().replaceAll(' ', '-') })}
        />
      )}
      <Choice
        id="job-rule"
        label={phrase('jobRule')}
        value={rule}
        choices={RULES.map((one) => [one, phrase(RULE_WORDS.get(one) ?? 'ruleEvery')] as const)}
        onChange={(value) => change({ rule: RULES.find((one) => one === value) ?? 'every', when: '' })}
      />
      <TextField
        id="job-when"
        label={phrase('jobWhen')}
        example={EXAMPLES[rule]}
        pick={rule === 'event' ? 'kinds' : undefined}
        value={when}
        onChange={(value) => change({ when: value })}
      />
      <Choice
        id="job-kind"
        label={phrase('jobWork')}
        value={kind}
        choices={kinds.map((one) => [one, phrase(WORK_WORDS.get(one) ?? 'workSay')] as const)}
        onChange={(value) => change({ kind: WORKS.find((one) => one === value) ?? 'say', what: '', inputs: {} })}
      />
      {kind !== 'kept' && (
        <TextField
          key={kind}
          id="job-what"
          label={phrase(kind === 'runbook' ? 'whichRunbook' : 'jobWords')}
          pick={kind === 'runbook' ? 'runbooks' : undefined}
          isLong={kind !== 'runbook'}
          value={what}
          onChange={(value) => change({ what: value, inputs: {} })}
        />
      )}
      {kind === 'runbook' && (
        <Inputs runbook={what} values={inputs} onChange={(values) => change({ inputs: values })} />
      )}
      <TextField
        id="job-to"
        label={phrase('jobTo')}
        pick="places"
        isRequired={false}
        value={to}
        onChange={(value) => change({ to: value })}
      />
      {button}
    </form>
  );
};
