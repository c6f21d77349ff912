/**
 * The actions that wait for a yes. Each shows its sentence, what is unusual, and behind one tap
 * every field. Only an approver gets the ids, and so buttons and keys. Setting one aside hides it
 * in this tab for an hour; it expires as before.
 */
import { computed, effect, signal, useSignal } from '@preact/signals';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ShownApproval } from '../../../core/verbs/approvals/operations.ts';
import { clock, duration, phrase } from './language.ts';
import { Button, Card, langOf, now, Outside } from './parts.tsx';
import { route, to } from './route.ts';
import { attempt, get, post, SETTINGS } from './server.ts';
import { approvals, isApprover, lookAtChange } from './state.ts';
import { isNumber, isObject, readStored } from './stored.ts';
import type { PlainKey } from './texts.ts';

const LATER_MS = 3_600_000;

type CardChoice = 'approve' | 'deny' | 'allow-similar' | 'allow-task';

const ASIDE = 'passepartout-aside';

/** Until when each is set aside, epoch milliseconds. */
const aside = signal(
  readStored(sessionStorage, {
    name: ASIDE,
    isWhole: (value): value is Readonly<Record<string, number>> =>
      isObject(value) && Object.values(value).every(isNumber),
    loss: 'lostAside',
  }) ?? {},
);
effect(() => sessionStorage.setItem(ASIDE, JSON.stringify(aside.value)));
const chosen = signal<ReadonlySet<string>>(new Set());

const isAside = ({ id = '' }: ShownApproval): boolean => (aside.value[id] ?? 0) > now.value;

export const waiting = computed(() => approvals.value.filter((approval) => !isAside(approval)));

const decide = async (id: string, decision: CardChoice): Promise<void> => {
  // The buttons go: the keyboard goes on from the list.
  document.getElementById('approvals')?.focus();
  try {
    await post(`/api/approvals/${id}`, { decision });
  } finally {
    lookAtChange();
  }
};

const decideChosen = async (decision: CardChoice): Promise<void> => {
  for (const id of chosen.value) {
    await decide(id, decision);
    chosen.value = new Set([...chosen.value].filter((one) => one !== id));
  }
};

const describeSimilar = ({ session, taintSource }: ShownApproval): string =>
  phrase('aboutSimilar')(session, SETTINGS.grantUses, SETTINGS.grantHours, taintSource);

const setAside = (id: string): void => {
  document.getElementById('approvals')?.focus();
  aside.value = { ...aside.value, [id]: Date.now() + LATER_MS };
};

/** A grant takes two presses: the second button stands beside what it means. */
const Decide = ({ approval, id }: { readonly approval: ShownApproval; readonly id: string }) => {
  const isOpen = useSignal(false);
  const isQuestion = approval.action.tool === 'ask-person';
  return (
    <>
      <div class="row">
        <Button label={phrase(isQuestion ? 'yes' : 'approve')} kind="primary" onPress={() => decide(id, 'approve')} />
        {approval.similarProblem === '' && (
          <Button
            label={phrase('allowSimilarAfter')}
            isExpanded={isOpen.value}
            onPress={() => {
              isOpen.value = !isOpen.value;
            }}
          />
        )}
        <Button label={phrase(isQuestion ? 'no' : 'deny')} kind="danger" onPress={() => decide(id, 'deny')} />
        <Button label={phrase('later')} onPress={() => setAside(id)} />
      </div>
      {isOpen.value && (
        <div class="similar">
          <p class="soft">{describeSimilar(approval)}</p>
          <Button label={phrase('allowSimilar')} onPress={() => decide(id, 'allow-similar')} />
          {approval.taskProblem === '' && (
            <>
              <p class="soft">{approval.aboutTask}</p>
              <Button label={phrase('allowTask')} onPress={() => decide(id, 'allow-task')} />
            </>
          )}
        </div>
      )}
    </>
  );
};

const Choose = ({ id }: { readonly id: string }) => (
  <label class="choose">
    <input
      type="checkbox"
      checked={chosen.value.has(id)}
      onChange={({ currentTarget }) => {
        const without = [...chosen.value].filter((one) => one !== id);
        chosen.value = new Set(currentTarget.checked ? [...without, id] : without);
      }}
    />
    {phrase('choose')}
  </label>
);

/** The keys of a card that has the focus, and the words of their second button. */
const KEYS: Readonly<Record<string, readonly [PlainKey, (id: string) => unknown]>> = {
  a: ['yesApprove', (id) => decide(id, 'approve')],
  d: ['yesDeny', (id) => decide(id, 'deny')],
  l: ['yesLater', setAside],
};

/**
 * A card that takes keys while it has the focus itself, and no part of it (WCAG 2.1.4). A key asks
 * once more, by the sentence of this very card, and decides nothing.
 */
const KeyCard = ({
  approval,
  children,
}: {
  readonly approval: ShownApproval;
  readonly children: ComponentChildren;
}) => {
  const { id, sentence } = approval;
  const card = useRef<HTMLLIElement>(null);
  const key = useSignal('');
  const [label, act] = KEYS[key.value] ?? [];
  useLayoutEffect(() => {
    if (key.value !== '') card.current?.querySelector<HTMLElement>('.sure button')?.focus();
  }, [key.value]);
  if (id === undefined) return <li>{children}</li>;
  const close = (): void => {
    key.value = '';
    card.current?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && key.value !== '') close();
    const isPlain = !event.repeat && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isPlain || event.target !== card.current || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    key.value = event.key;
  };
  return (
    <li
      ref={card}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys work while it has the focus
      tabIndex={0}
      aria-labelledby={`sentence-${id}`}
      aria-describedby="card-keys"
      aria-keyshortcuts={Object.keys(KEYS).join(' ')}
      onKeyDown={press}
    >
      {children}
      {label !== undefined && (
        <fieldset class="sure">
          <legend dir="auto" lang={langOf(sentence)}>
            {sentence}
          </legend>
          <div class="row">
            <Button
              label={phrase(label)}
              kind="primary"
              onPress={() => {
                key.value = '';
                return act?.(id);
              }}
            />
            <Button label={phrase('no')} onPress={close} />
          </div>
        </fieldset>
      )}
    </li>
  );
};

const Approval = ({ approval, isOneOfMany }: { readonly approval: ShownApproval; readonly isOneOfMany: boolean }) => {
  const { id, sentence, unusual, rest, expiresAt, signalId, requester, session } = approval;
  return (
    <KeyCard approval={approval}>
      {id !== undefined && isOneOfMany && <Choose id={id} />}
      <Outside kind="sentence" id={`sentence-${id}`} text={sentence} lang={langOf(sentence)} />
      {unusual.map((line) => (
        <Outside key={line} text={line} lang={langOf(line)} />
      ))}
      <p class="soft">
        {phrase('waitsUntil')(clock(expiresAt), duration(expiresAt - now.value), session, requester)}{' '}
        {route.value[1] !== signalId && <a href={to('decisions', signalId)}>{phrase('whyItAsks')}</a>}
      </p>
      <details class="rest">
        <summary>{phrase('allOfIt')}</summary>
        {rest.map((line) => (
          <Outside key={line} text={line} lang={langOf(line)} />
        ))}
      </details>
      {id === undefined ? <p class="soft">{phrase('decidingNeeds')}</p> : <Decide approval={approval} id={id} />}
    </KeyCard>
  );
};

const SetAside = () => {
  const those = approvals.value.filter(isAside);
  if (those.length === 0) return null;
  return (
    <>
      <h3>{phrase('aside')}</h3>
      <ul>
        {those.map(({ id = '', sentence, expiresAt }) => (
          <li key={id} class="soft">
            <Outside text={sentence} lang={langOf(sentence)} />
            <p>{phrase('expires')(clock(expiresAt), duration(expiresAt - now.value))}</p>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="plain"
        onClick={() => {
          aside.value = {};
        }}
      >
        {phrase('showAgain')}
      </button>
    </>
  );
};

const Several = () => {
  const ids = waiting.value.flatMap(({ id }) => id ?? []);
  const count = ids.filter((id) => chosen.value.has(id)).length;
  if (ids.length < 2) return null;
  if (count < 2)
    return (
      <Button
        label={phrase('chooseAll')(ids.length)}
        onPress={() => {
          chosen.value = new Set(ids);
        }}
      />
    );
  return (
    <div class="row">
      <Button label={phrase('approveChosen')(count)} kind="primary" onPress={() => decideChosen('approve')} />
      <Button label={phrase('denyChosen')(count)} kind="danger" onPress={() => decideChosen('deny')} />
    </div>
  );
};

/** Decides all calls of one answer that wait, each by its id as it is shown below. */
const Together = ({ of, shown }: { readonly of: string; readonly shown: readonly ShownApproval[] }) => {
  const ids = shown.flatMap(({ id, signalId }) => (signalId === of && id !== undefined ? [id] : []));
  if (ids.length < 2) return null;
  const decideAll = async (decision: CardChoice): Promise<void> => {
    for (const id of ids) await decide(id, decision);
  };
  return (
    <li class="together">
      <p>{phrase('together')(ids.length)}</p>
      <div class="row">
        <Button label={phrase('approveAll')} kind="primary" onPress={() => decideAll('approve')} />
        <Button label={phrase('denyAll')} kind="danger" onPress={() => decideAll('deny')} />
      </div>
    </li>
  );
};

/** @param of the signals whose cards are shown; all cards, and those set aside, without it */
export const Waiting = ({ of }: { readonly of?: readonly string[] }) => {
  const shown = of === undefined ? waiting.value : approvals.value.filter(({ signalId }) => of.includes(signalId));
  if (of === undefined ? approvals.value.length === 0 : shown.length === 0) return null;
  return (
    <Card title={phrase('waits')} id="approvals-card">
      <ul class="approvals" id="approvals" tabIndex={-1}>
        {shown.map((approval, n) => (
          <Fragment key={approval.id ?? `${approval.signalId}#${approval.n}`}>
            {approval.signalId !== shown[n - 1]?.signalId && <Together of={approval.signalId} shown={shown} />}
            <Approval approval={approval} isOneOfMany={of === undefined && isApprover.value && shown.length > 1} />
          </Fragment>
        ))}
      </ul>
      {isApprover.value && (
        <p class="soft" id="card-keys">
          {phrase('aboutKeys')}
        </p>
      )}
      {of === undefined && [<Several key="several" />, <SetAside key="aside" />]}
    </Card>
  );
};

/** `#/approvals/<its first characters>`, as a card in a chat links it, leads to its decision. */
export const ApprovalPage = ({ start }: { readonly start: string }) => {
  const isGone = useSignal(false);
  useEffect(
    () =>
      void attempt(async () => {
        const all = await get<{ approvals: readonly ShownApproval[] }>('/api/approvals?state=all');
        const found = all.approvals.find(({ id }) => start !== '' && id?.startsWith(start));
        isGone.value = found === undefined;
        if (found !== undefined) location.replace(to('decisions', found.signalId));
      }),
    [start],
  );
  if (!isGone.value) return null;
  return <p class="empty">{phrase('noSuchApproval')}</p>;
};
