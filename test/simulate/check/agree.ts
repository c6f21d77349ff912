/**
 * What the record says, against what outsiders sent and received: inputs as they are stored, the
 * model's answers as they were proposed, the outputs of calls as servers gave them and as later
 * steps are told them, answers as later turns see them, and cards as chats show them in the end.
 */
import type { Received, Sent } from '../types.ts';
import type { Effect } from './evidence.ts';
import { canonicalText, type Fields, fieldsOf, listOf, numberOf, parseJson, textOf } from './json.ts';
import { idsOf, isOk, isPutOff, PERFORMED, type Rule, type Run, rootOf } from './run.ts';

/** Rows of signals by id. */
const signalRows = ({ observed: { rows = {} } }: Run): ReadonlyMap<string, Fields> =>
  new Map(
    Object.entries(rows).flatMap(([name, row]) => {
      const [, id] = /^signal#[^#]*#(.*) record$/.exec(name) ?? [];
      return id === undefined || row.signal === undefined ? [] : [[id, row] as const];
    }),
  );

const signalIn = (row: Fields | undefined): Fields => fieldsOf(parseJson(textOf(row?.signal)));

/** The words, session, sender and way of answering that something sent must be stored with. */
const storedFormOf = ({ step }: Sent): readonly string[] | undefined => {
  if (step.kind === 'event')
    return [`webhook:${step.source}`, `webhook:${step.source}`, 'telegram', `say ${step.marker}`];
  if (step.kind !== 'message') return undefined;
  const { via, conversation: to } = step;
  const sender = via === 'telegram' ? `telegram:${to}` : 'console-approver';
  return [`${via}:${to}`, sender, `${via} ${to}`, `${step.verb} ${step.marker}`];
};

const storedForm = (signal: Fields): readonly string[] => {
  const [reply, payload] = [fieldsOf(signal.reply), fieldsOf(signal.payload)];
  const pieces = listOf(payload.text).map((piece) => textOf(fieldsOf(piece).text));
  const text = payload.sensor === 'webhook' ? fieldsOf(payload.body).text : pieces.join(' and ');
  // The home chat of events is a setting, which an order may change.
  const way = payload.sensor === 'webhook' ? textOf(reply.target) : `${textOf(reply.target)} ${textOf(reply.to)}`;
  return [textOf(signal.session), textOf(fieldsOf(signal.sender).id), way, textOf(text)];
};

/** A function takes a request within so long. */
const INTAKE_MS = 120_000;

export const stored: Rule = {
  name: 'stored',
  promise: 'What was accepted is stored with the words, the sender, the chat and the time that it came with.',
  check: (run) => {
    const rows = signalRows(run);
    const { skewMs } = run.observed;
    return run.inputs.flatMap((sent) => {
      const expected = storedFormOf(sent);
      const row = rows.get(idsOf(sent)[0] ?? '');
      if (expected === undefined || row === undefined) return [];
      const signal = signalIn(row);
      const found = storedForm(signal);
      const at = numberOf(signal.receivedAt);
      const isInTime = sent.tries.some((one) => at >= one.at - skewMs && at <= one.at + skewMs + INTAKE_MS);
      return [
        ...(found.join() === expected.join() ? [] : [`${expected.join()} is stored as ${found.join()}`]),
        ...(isInTime ? [] : [`${expected.join()} is stored as of ${at}, when nobody sent it`]),
      ];
    });
  },
};

/** Text and calls of an answer, and the tokens that it was billed for. */
const proposedIn = ({ answer }: Received): string => {
  const { choices, usage } = fieldsOf(parseJson(answer.body));
  const message = fieldsOf(fieldsOf(listOf(choices)[0]).message);
  const calls = listOf(message.tool_calls).map((one) => fieldsOf(fieldsOf(one).function));
  const { prompt_tokens, completion_tokens } = fieldsOf(usage);
  const named = calls.map(({ name, arguments: args }) => [name, parseJson(textOf(args))]);
  return canonicalText([message.content ?? null, named, prompt_tokens, completion_tokens]);
};

/**
 * Lines of code below an answer: what its turn did; what of it is from outside text, or was kept of
 * such.
 */
const MARKS =
  /(?:\n\n\((?:Nothing was sent, booked or saved|Done in this turn|From outside text, unchecked|A note was kept of outside text)[^\n]*\))+$/;

export const proposed: Rule = {
  name: 'proposed',
  promise: 'Each attempt that could be read is an answer of the model, with its words, calls and tokens.',
  check: ({ evidence, modelCalls }) => {
    const left = new Map<string, number>();
    for (const { receipt } of modelCalls) {
      if (!isOk(receipt.answer.status)) continue;
      const answer = proposedIn(receipt);
      left.set(answer, (left.get(answer) ?? 0) + 1);
    }
    return evidence.records
      .filter(({ kind }) => kind === 'decision')
      .flatMap(({ id, fixed, content }) =>
        listOf(content.attempts).flatMap((one, n) => {
          const { proposal } = fieldsOf(one);
          const { inputTokens, outputTokens, provider } = fieldsOf(listOf(fixed.attempts)[n]);
          if (proposal === undefined || provider === undefined) return [];
          const { text = null, calls } = fieldsOf(proposal);
          const named = listOf(calls)
            .map(fieldsOf)
            .map(({ tool, args, explanation }) => [tool, { ...fieldsOf(args), explanation }]);
          const said = typeof text === 'string' ? text.replace(MARKS, '') : text;
          const answer = canonicalText([said, named, inputTokens, outputTokens]);
          const count = left.get(answer) ?? 0;
          left.set(answer, count - 1);
          return count > 0 ? [] : [`attempt ${n + 1} of ${id} is no answer of the model: ${answer.slice(0, 200)}`];
        }),
      );
  },
};

const messageIdsIn = ({ output }: Effect): readonly unknown[] => listOf(fieldsOf(parseJson(output)).messageIds);

/** A text that was done names the messages that Telegram named for it. */
const checkMessageIds = (run: Run, effect: Effect): readonly string[] => {
  const requests = run.messages.filter(({ effects }) => effects.includes(effect));
  const known = requests.flatMap(({ receipt: { request, answer } }) => [
    fieldsOf(parseJson(request.body)).message_id,
    fieldsOf(fieldsOf(parseJson(answer.body)).result).message_id,
  ]);
  const strange = messageIdsIn(effect).filter((id) => !known.includes(id));
  return strange.map((id) => `${effect.id} says that it is message ${String(id)}, as Telegram never said`);
};

/** A call that was done says what the server answered. */
const checkAnswer = ({ hookCalls }: Run, effect: Effect): readonly string[] => {
  const answers = hookCalls
    .filter(({ effects }) => effects.includes(effect))
    .map(({ receipt: { answer } }) => canonicalText({ status: answer.status, body: answer.body }));
  const own = canonicalText(parseJson(effect.output) ?? null);
  return answers.includes(own) ? [] : [`${effect.id} says that it was answered ${own}, and nobody answered so`];
};

export const outputs: Rule = {
  name: 'outputs',
  promise: 'What a text or call that was done says of its outcome is what its server answered.',
  check: (run) =>
    [...run.evidence.effects.values()]
      .filter((effect) => effect.state === 'done' && !isPutOff(effect))
      .flatMap((effect) => {
        if (effect.fixed.actuator === 'telegram') return checkMessageIds(run, effect);
        return effect.fixed.actuator === 'webhook' ? checkAnswer(run, effect) : [];
      }),
};

/** A step is told how the calls of the step before it ended. */
const checkResults = (run: Run, id: string, row: Fields): readonly string[] => {
  const { parent, payload } = signalIn(row);
  return listOf(fieldsOf(payload).results).flatMap((one) => {
    const { n, tool, state, output } = fieldsOf(one);
    const effect = run.evidence.effects.get(`${textOf(parent)}#${numberOf(n)}`);
    if (effect === undefined) return [`${id} is told of a call ${textOf(tool)} that there is not`];
    // It was told of the yes that it waited for, which came later.
    const isSame = effect.state === state || (state === 'suspended' && effect.fixed.approval !== undefined);
    const isWhole = state !== 'done' || effect.output === textOf(output);
    return isSame && isWhole && effect.judged?.action?.tool === tool
      ? []
      : [`${id} is told that ${effect.id} is ${textOf(state)}: ${textOf(output).slice(0, 80)}`];
  });
};

/** A model that thinks more is asked only if nothing of the step before was done. */
const checkTier = ({ evidence }: Run, id: string, row: Fields): readonly string[] => {
  const told = listOf(fieldsOf(signalIn(row).payload).results).map(fieldsOf);
  const [first] = evidence.decisions.get(id)?.attempts ?? [];
  if (told.length === 0 || first === undefined) return [];
  const hasFailed = textOf(first.tierBecause).startsWith('what was tried before failed');
  const isDone = told.some(({ state }) => state === 'done');
  return hasFailed && isDone ? [`${id} says that the step before failed, and it was done`] : [];
};

/** What was refused for want of a yes says whether somebody said no. */
const checkReason = ({ evidence }: Run, { id, state, fixed }: Effect): readonly string[] => {
  const approval = evidence.approvals.get(textOf(fixed.approval));
  if (state !== 'refused' || approval === undefined) return [];
  const isDenied = fixed.reason === 'a person denied it';
  return isDenied === (approval.state === 'denied') || /^(?:approved|spent)$/.test(textOf(approval.state))
    ? []
    : [`${id} was refused because ${textOf(fixed.reason)}, and its approval is ${textOf(approval.state)}`];
};

/** What later turns see of an action: a text of the model, what was heard, or a picture's name. */
const shownLater = ({ author, text, args }: Fields, { output }: Effect): string | undefined => {
  if (author === 'model') return text === undefined ? undefined : textOf(text);
  const file = textOf(fieldsOf(args).file);
  if (file.startsWith('photo')) return output;
  return file.startsWith('voice') ? `I heard: “${output}”` : undefined;
};

/** Later turns see each text that the model gave and that was sent, what was heard, and no more. */
const checkReplies = (run: Run, id: string, row: Fields): readonly string[] => {
  const seen = listOf(row.replies).map((one) => textOf(fieldsOf(one).text));
  const all = (run.turns.get(id) ?? []).flatMap((step) =>
    (run.evidence.decisions.get(step)?.actions ?? []).flatMap(({ action }, n) => {
      const effect = run.evidence.effects.get(`${step}#${n}`);
      const text = action === undefined || effect === undefined ? undefined : shownLater(action, effect);
      return text === undefined || effect === undefined ? [] : [{ text, state: effect.state }];
    }),
  );
  const may = all.filter(({ state }) => PERFORMED.includes(state)).map(({ text }) => text);
  const must = all.filter(({ state }) => state === 'done').map(({ text }) => text);
  return [
    ...seen.filter((text) => !may.includes(text)).map((text) => `${id} shows later turns “${text.slice(0, 40)}”`),
    ...must.filter((text) => !seen.includes(text)).map((text) => `${id} hides its answer “${text.slice(0, 40)}”`),
  ];
};

export const results: Rule = {
  name: 'results',
  promise: 'Later steps are told how each call ended, and later turns what was answered.',
  check: (run) => [
    ...[...signalRows(run)].flatMap(([id, row]) => [
      ...checkResults(run, id, row),
      ...checkTier(run, id, row),
      ...(id === rootOf(id) && /^(?:tg|con|wh)-/.test(id) ? checkReplies(run, id, row) : []),
    ]),
    ...[...run.evidence.effects.values()].flatMap((effect) => checkReason(run, effect)),
  ],
};

const DOUBT = /^(.*)\/again-(\d+)-\d+$/;

export const doubt: Rule = {
  name: 'doubt',
  promise: 'Somebody is told of each text that nobody knows to have arrived, and of no other.',
  check: ({ evidence }) => {
    const told = new Set(
      [...evidence.decisions.keys()].flatMap((id) => {
        const [, of, n] = DOUBT.exec(id) ?? [];
        return of === undefined ? [] : [`${of}#${n}`];
      }),
    );
    const texts = [...evidence.effects.values()].filter(({ fixed }) => fixed.actuator === 'telegram');
    // Of the word about a lost text nobody is told once more.
    const isOwn = ({ judged, signalId }: Effect): boolean =>
      judged?.action?.template === 'may-be-lost' || DOUBT.test(signalId);
    return texts.flatMap((effect) => {
      const { id, state } = effect;
      if (state === 'unknown' && !told.has(id) && !isOwn(effect)) return [`${id} may be lost, and nobody was told`];
      return told.has(id) && !['unknown', 'failed'].includes(state)
        ? [`somebody was told that ${id} may be lost, and it is ${state}`]
        : [];
    });
  },
};

/** The card that a message of Telegram has buttons for. */
const cardIn = ({ buttons }: NonNullable<Received['shown']>): string | undefined =>
  buttons.flatMap(({ data }) => /^[ad]:([0-9a-f]{32})$/.exec(data)?.[1] ?? [])[0];

export const cards: Rule = {
  name: 'cards',
  promise: 'In the end only cards that wait have buttons, unless the chat did not take the edit.',
  check: ({ observed, evidence }) => {
    const last = new Map<string, NonNullable<Received['shown']>>();
    for (const { shown, answer, isAnswerLost } of observed.received) {
      const name = `${shown?.chat} ${shown?.messageId}`;
      // Nobody inside knows the message of a card whose answer was lost.
      if (shown !== undefined && (last.has(name) || (isOk(answer.status) && !isAnswerLost))) last.set(name, shown);
    }
    const isLost = ({ chat, messageId }: { readonly chat: string; readonly messageId: number }): boolean =>
      [...evidence.effects.values()].some(({ state, judged }) => {
        const { to, edits } = judged?.action ?? {};
        return state !== 'done' && to === chat && fieldsOf(edits).message === messageId;
      });
    return [...last.values()].flatMap((shown) => {
      const card = cardIn(shown);
      const state = Object.entries(observed.rows ?? {}).find(
        ([name]) => name === `approval#default#${card} record`,
      )?.[1]?.state;
      return state === undefined || state === 'pending' || isLost(shown)
        ? []
        : [`the card ${shown.messageId} in ${shown.chat} has buttons, and its approval is ${textOf(state)}`];
    });
  },
};
