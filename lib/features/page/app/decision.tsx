/**
 * Decisions: the newest as a list, and one in full: where its time went, its attempts, the word of
 * every gate, the exact actions and their effects, and how it differs from another one.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { shownOutcome } from '../../../core/edge/console/list-words.ts';
import type { ListedSignal } from '../../../core/edge/console/views.ts';
import type { SignalView } from '../../../core/wings/signals/view.ts';
import { compareViews, compareWords } from './compare.ts';
import { clock, duration, language, money, phrase, sensorWord } from './language.ts';
import { Badge, Button, Card, Exact, Facts, Lines, langOf, Outside, Title, Words } from './parts.tsx';
import { to } from './route.ts';
import { attempt, get, post, problem } from './server.ts';
import { roots } from './state.ts';
import type { PlainKey } from './texts.ts';
import { Waiting } from './waiting.tsx';
import { buildWaterfall } from './waterfall.ts';

type EffectView = SignalView['effects'][number];
type AttemptView = NonNullable<SignalView['decision']>['attempts'][number];
type ActionView = NonNullable<SignalView['decision']>['actions'][number];
type TraceEntry = EffectView['trace'][number];

const TraceLines = ({ trace }: { readonly trace: readonly TraceEntry[] }) => (
  <ul class="trace">
    {trace.map(({ gate, verdict, reason }, n) => (
      <li key={n}>
        <Badge state={verdict} />
        <span>
          <Words text={gate} />
          {reason !== '' && <Words kind="soft" text={` – ${reason}`} />}
        </span>
      </li>
    ))}
  </ul>
);

/** Gates that passed without a reason are folded. */
const Trace = ({ trace }: { readonly trace: readonly TraceEntry[] }) => {
  const isPlain = ({ verdict, reason }: TraceEntry): boolean => verdict === 'pass' && reason === '';
  const passed = trace.filter(isPlain);
  return (
    <>
      <TraceLines trace={trace.filter((entry) => !isPlain(entry))} />
      {passed.length > 0 && (
        <details class="passes">
          <summary>{phrase('gatesPassed')(passed.length, trace.length)}</summary>
          <TraceLines trace={passed} />
        </details>
      )}
    </>
  );
};

const Attempt = ({ made }: { readonly made: AttemptView }) => {
  const { n, provider, model, inputTokens = 0, outputTokens, proposal, trace } = made;
  const tokens = outputTokens === undefined ? '' : phrase('tokens')(inputTokens, outputTokens);
  return (
    <>
      <h3>{phrase('attempt')(n, `${provider} ${model}`) + tokens}</h3>
      {made.problem !== undefined && (
        <p class="problem" lang={langOf(made.problem)}>
          {made.problem}
        </p>
      )}
      {proposal?.text !== undefined && <Exact text={proposal.text} />}
      {proposal?.calls.map((wanted, index) => (
        <Exact key={index} text={`${wanted.tool} ${JSON.stringify(wanted.args, null, 2)}`} />
      ))}
      <Trace trace={trace} />
    </>
  );
};

const Action = ({ item: { n, sentence, action, actionHash, trace } }: { readonly item: ActionView }) => (
  <>
    <h3>{phrase('action')(n)}</h3>
    <Outside kind="sentence" text={sentence} lang={langOf(sentence)} />
    {action.text !== undefined && <Exact text={action.text} />}
    {action.args !== undefined && <Exact text={JSON.stringify(action.args, null, 2)} />}
    {action.url !== undefined && <p class="mono">{action.url}</p>}
    {action.author !== 'code' && (
      <p class="soft">
        {phrase(action.author === 'model' ? 'whyModel' : 'why')}{' '}
        <Words text={action.explanation} {...(action.author === 'model' ? { lang: '' } : {})} />
      </p>
    )}
    <p class="soft mono">{actionHash}</p>
    <Trace trace={trace} />
  </>
);

/** Saves the receipt of an effect as a file. */
const saveReceipt = async (action: string): Promise<void> => {
  const path = `/api/receipt?action=${encodeURIComponent(action)}`;
  const { receipt, lines } = await get<{ receipt?: object; lines: readonly string[] }>(path);
  if (receipt === undefined) throw new Error(lines.join(' '));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(receipt)], { type: 'application/json' }));
  link.download = 'receipt.json';
  link.click();
};

const Effect = ({ id, effect }: { readonly id: string; readonly effect: EffectView }) => (
  <>
    <p class="effect">
      <Badge state={effect.state} kind={effect.state === 'unknown' ? 'effect-unknown' : effect.state} />
      <span>{phrase('effect')(effect.n, effect.actuator)}</span>
      {effect.reason !== undefined && <Words kind="soft" text={effect.reason} />}
      <Button label={phrase('receipt')} onPress={() => saveReceipt(`${id}#${effect.n}`)} />
    </p>
    {effect.output !== undefined && <Exact text={effect.output} />}
    <Trace trace={effect.trace} />
  </>
);

const ORIGINS: ReadonlyMap<string, PlainKey> = new Map([
  ['owner', 'fromOwner'],
  ['agent', 'fromAgent'],
  ['outside', 'fromOutside'],
]);

const Piece = ({ piece: { text, origin, label } }: { readonly piece: SignalView['text'][number] }) => (
  <div class={`piece ${origin}`}>
    <p class="soft">
      {phrase(ORIGINS.get(origin) ?? 'fromOutside')}
      {label !== undefined && <Words text={` (${label})`} />}
    </p>
    <Exact text={text} />
  </div>
);

/** Versions of all that it was decided with. */
const Basis = ({ decision }: { readonly decision: NonNullable<SignalView['decision']> }) => {
  const { memory, seen = [], gateSet, policyVersion, settingsVersion, skill } = decision;
  const rows = [
    [phrase('memory'), memory === undefined ? '' : phrase('commit')(memory.commit)],
    [phrase('log'), memory?.treeSize === undefined ? '' : phrase('leavesAndRoot')(memory.treeSize, memory.rootHash)],
    [phrase('settings'), settingsVersion === undefined ? '' : phrase('version')(settingsVersion)],
    [phrase('skill'), skill === undefined ? '' : `${skill.name} ${skill.hash.slice(0, 12)}`],
    [phrase('gates'), gateSet.slice(0, 12)],
    [phrase('policy'), policyVersion.slice(0, 12)],
  ] as const;
  return (
    <details class="passes">
      <summary>{phrase('decidedWith')(seen.length)}</summary>
      <Facts rows={rows.filter(([, value]) => value !== '')} />
      <ul class="lines">
        {seen.map(({ id, version, origin }) => (
          <li key={id} class={`piece ${origin ?? ''}`}>
            {phrase('seenNote')(id.slice(0, 8), version)}
            {origin === 'outside' && `, ${phrase('fromOutside')}`}
          </li>
        ))}
      </ul>
    </details>
  );
};

const One = ({ view }: { readonly view: SignalView }) => {
  const { id, session, stateReason, decision, effects } = view;
  const attempts = decision?.attempts ?? view.attempts ?? [];
  return (
    <div class="inside">
      <p class="soft mono">
        {id} · {session}
      </p>
      {view.text.map((piece, n) => (
        <Piece key={n} piece={piece} />
      ))}
      {stateReason !== undefined && stateReason !== decision?.reason && <p lang={langOf(stateReason)}>{stateReason}</p>}
      {decision !== null && decision.reason !== '' && (
        <p>
          <strong>{phrase('refused')}</strong> <Words text={decision.reason} />
        </p>
      )}
      {decision !== null && <Basis decision={decision} />}
      {attempts.map((made) => (
        <Attempt key={made.n} made={made} />
      ))}
      {decision?.actions.map((item) => (
        <Action key={item.n} item={item} />
      ))}
      {effects.length > 0 && <h3>{phrase('effects')}</h3>}
      {effects.map((effect) => (
        <Effect key={effect.n} id={id} effect={effect} />
      ))}
      {view.rules !== undefined && (
        <p class="soft" lang={langOf(view.rules)}>
          {view.rules}
        </p>
      )}
    </div>
  );
};

const KINDS = { work: 'spanWork', queue: 'spanQueue', person: 'spanPerson' } as const;

const Waterfall = ({ views }: { readonly views: readonly SignalView[] }) => {
  const spans = buildWaterfall(views, language.value);
  const from = Math.min(...spans.map((span) => span.from));
  const whole = Math.max(1, ...spans.map((span) => span.to - from));
  const percent = (ms: number): string => `${(100 * ms) / whole}%`;
  return (
    <table class="waterfall">
      <caption class="unseen">{phrase('whereTimeWent')}</caption>
      <thead class="unseen">
        <tr>
          <th>{phrase('step')}</th>
          <th>{phrase('when')}</th>
          <th>{phrase('took')}</th>
        </tr>
      </thead>
      <tbody>
        {spans.map((span, n) => (
          <tr key={n}>
            <th scope="row">{span.label}</th>
            <td>
              <svg width="100%" height="12" role="img" aria-label={phrase(KINDS[span.kind])}>
                <rect
                  class={span.kind}
                  x={percent(span.from - from)}
                  width={percent(span.to - span.from)}
                  height="12"
                />
              </svg>
            </td>
            <td>
              {duration(span.to - span.from)} <span class="soft">{phrase(KINDS[span.kind])}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Compare = ({ view }: { readonly view: SignalView }) => {
  const other = useSignal<SignalView | undefined>(undefined);
  const choices = (roots.value ?? []).filter(({ id }) => id !== view.id);
  const choose = (id: string): void =>
    void attempt(async () => {
      other.value = id === '' ? undefined : await get<SignalView>(`/api/signals/${id}`);
    });
  const rows = other.value === undefined ? [] : compareViews(view, other.value);
  return (
    <Card title={phrase('compare')} id="compare">
      <label for="other">{phrase('theOther')}</label>
      <select id="other" onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">{phrase('choose')}</option>
        {choices.map(({ id, text, receivedAt }) => (
          <option key={id} value={id} lang="">
            {`${clock(receivedAt)} ${text}`}
          </option>
        ))}
      </select>
      {other.value !== undefined && rows.length === 0 && <p>{phrase('sameBut')}</p>}
      {other.value !== undefined && (
        <ul class="lines" id="in-words">
          {compareWords(view, other.value, language.value).map((line) => (
            <li key={line} dir="auto">
              {line}
            </li>
          ))}
        </ul>
      )}
      {rows.length > 0 && (
        <details class="passes">
          <summary>{phrase('differences')(rows.length)}</summary>
          <table class="differences">
            <thead>
              <tr>
                <th>{phrase('what')}</th>
                <th>{phrase('here')}</th>
                <th>{phrase('there')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ path, left, right }) => (
                <tr key={path}>
                  <th scope="row" lang="en">
                    {path}
                  </th>
                  {[left, right].map((value, n) => (
                    <td key={n} dir="auto" lang="">
                      {value}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </Card>
  );
};

/** Judged again: by the same gates, and under a policy that is not in force. */
const Again = ({ id }: { readonly id: string }) => {
  const text = useSignal('');
  const lines = useSignal<readonly string[]>([]);
  useEffect(
    () =>
      void attempt(async () => {
        const inForce = await get<{ text: string }>('/api/policy');
        text.value ||= inForce.text;
      }),
    [],
  );
  const show = async (answer: Promise<{ lines: readonly string[] }>): Promise<void> => {
    lines.value = [];
    lines.value = (await answer).lines;
  };
  return (
    <Card title={phrase('judgeAgain')} id="again">
      <p class="soft">{phrase('aboutAgain')}</p>
      <div class="row">
        <Button label={phrase('replay')} onPress={() => show(get(`/api/signals/${id}/replay`))} />
      </div>
      <label for="policy">{phrase('aPolicy')}</label>
      <textarea
        id="policy"
        class="mono"
        lang=""
        rows={4}
        spellcheck={false}
        placeholder={'@id("no-webhooks")\nforbid(principal, action == Action::"call-webhook", resource);'}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      <div class="row">
        <Button
          label={phrase('wouldFlip')}
          onPress={() => show(post(`/api/signals/${id}/try-policy`, { text: text.value }))}
        />
      </div>
      <div role="status">
        <Lines lines={lines.value} />
      </div>
    </Card>
  );
};

/** Of what was said, as the head of its decision. */
const TITLE_CHARS = 200;
const LOOK_MS = 1000;
/** Steps of a turn that one page shows. */
const STEPS_MAX = 30;

/** The signal, and what it caused, in the order of their causes. */
const loadTurn = async (id: string): Promise<readonly SignalView[]> => {
  const found: SignalView[] = [];
  const ids = [id];
  while (ids.length > 0 && found.length < STEPS_MAX) {
    const view = await get<SignalView>(`/api/signals/${ids.shift()}`);
    found.push(view);
    ids.unshift(...view.children);
  }
  return found;
};

export const DecisionPage = ({ id }: { readonly id: string }) => {
  const views = useSignal<readonly SignalView[]>([]);
  const lines = useSignal<readonly string[]>([]);
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const look = async (): Promise<void> => {
      const found = await loadTurn(id);
      if (isGone) return;
      views.value = found;
      const story = await get<{ lines: readonly string[] }>(`/api/why?id=${encodeURIComponent(id)}`);
      // After the plain words follows all that stands below.
      const end = story.lines.findIndex((line) => line.startsWith(id));
      lines.value = story.lines.slice(0, end === -1 ? story.lines.length : end);
      if (found[0]?.turn === 'running') timer = window.setTimeout(() => void attempt(look), LOOK_MS);
    };
    views.value = [];
    void attempt(look);
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, [id]);
  const [root, ...children] = views.value;
  const back = (
    <p>
      <a href={to('decisions')}>{phrase('allDecisions')}</a>
    </p>
  );
  if (root === undefined) return problem.value === '' ? <p class="empty">{phrase('asking')}</p> : back;
  const words = root.text
    .map(({ text }) => text)
    .join(' ')
    .slice(0, TITLE_CHARS);
  const steps = (roots.value ?? []).filter((one) => one.id.startsWith(`${root.id}/`)).toReversed();
  return (
    <>
      {back}
      <Card title={phrase('plainWords')} id="why">
        <p class="sentence">{words === '' ? sensorWord(root.sensor) : <Words text={words} lang="" />}</p>
        <p>
          <Badge state={root.state} /> <span class="soft">{clock(root.receivedAt)}</span>
        </p>
        <Lines lines={lines.value} />
      </Card>
      {steps.length > 0 && (
        <Card title={phrase('steps')} id="steps">
          <Decisions of={steps} none="" />
        </Card>
      )}
      <Waiting of={views.value.map((view) => view.id)} />
      <Card title={phrase('whereTimeWent')} id="time">
        <Waterfall views={views.value} />
      </Card>
      <Card title={phrase('allOfIt')} id="whole">
        <One view={root} />
        {children.map((view) => (
          <details key={view.id}>
            <summary>
              {phrase('andThen')(sensorWord(view.sensor))} <code>{view.id.slice(root.id.length)}</code>
            </summary>
            <One view={view} />
          </details>
        ))}
      </Card>
      <Again key={root.id} id={root.id} />
      <Compare view={root} />
    </>
  );
};

const Row = ({ signal }: { readonly signal: ListedSignal }) => {
  const { id, receivedAt, cost, occurrence: { instant = receivedAt, why } = {} } = signal;
  return (
    <li>
      <a href={to('decisions', id)}>
        <Badge state={shownOutcome(signal)} />
        <span class="what">
          <Title of={signal} />
          {why !== undefined && <Words text={`: ${why}`} />}
        </span>
        <span class="soft">
          {cost !== undefined && `${money(cost)} · `}
          {clock(instant)}
        </span>
      </a>
    </li>
  );
};

export const Decisions = ({
  of,
  none,
}: {
  readonly of: readonly ListedSignal[] | undefined;
  readonly none: string;
}) => {
  if (of?.length === 0) return <p class="empty">{none}</p>;
  return (
    <ul class="decisions">
      {(of ?? []).map((signal) => (
        <Row key={signal.id} signal={signal} />
      ))}
    </ul>
  );
};
