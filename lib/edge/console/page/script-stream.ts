/**
 * Answers while they are written: reads a running turn's stream of events, again and again from
 * where it left off, and keeps what of the newest answer may be shown so far. An EventSource could
 * not send the token. What was performed takes a draft's place.
 */
export const SCRIPT_STREAM = String.raw`
const STREAM_PAUSE_MS = 100;
const drafts = new Map();

/** A reply beyond those there were when the draft was begun is what became of it. */
const draftOf = (view) => {
  const draft = drafts.get(view.id);
  return draft && view.turn === 'running' && view.replies.length <= draft.after ? draft.text : '';
};

/** The next answer of the turn begins, after these replies. */
const beginNext = (id, draft, replies) => {
  draft.text = '';
  draft.after = replies.length;
  const entry = views.get(id);
  if (entry && entry.view.replies.length < replies.length) views.set(id, { ...entry, view: { ...entry.view, replies } });
};

const readStream = async (id, draft) => {
  const response = await fetch('/api/signals/' + id + '/stream', {
    cache: 'no-store',
    credentials: 'omit',
    headers: { authorization: 'Bearer ' + (sessionStorage.getItem(TOKEN) || ''), 'last-event-id': draft.last },
  });
  if (!response.ok) throw new Error('there is no stream');
  for (const event of (await response.text()).split('\n\n')) {
    const lines = event.split('\n');
    const data = lines.find((line) => line.startsWith('data: '));
    const told = data ? JSON.parse(data.slice(6)) : {};
    if (told.type === 'end') { draft.isOver = true; draft.isWaiting = told.turn === 'waiting'; }
    // Asking again would only push out another page's stream: the rest comes with the turn.
    if (told.type === 'gave-way') draft.isOver = true;
    if (told.type === 'next') beginNext(id, draft, told.replies);
    if (told.type === 'text') draft.text += told.text;
    const last = lines.find((line) => line.startsWith('id: '));
    if (last) draft.last = last.slice(4);
  }
};

/** Ends with the turn, or as soon as anything fails: the page asks for the turn itself anyway. */
const followDraft = async (id) => {
  if (drafts.has(id)) return;
  const draft = { text: '', last: '', after: 0, isOver: false, isWaiting: false };
  drafts.set(id, draft);
  try {
    while (!draft.isOver && !document.hidden) {
      await readStream(id, draft);
      drawTalk();
      await new Promise((resolve) => setTimeout(resolve, STREAM_PAUSE_MS));
    }
  } catch {
    draft.isOver = true;
  }
  if (draft.isOver) refreshSoon();
  // It goes on once a person has decided, or looks at the page again.
  if (!draft.isOver || draft.isWaiting) drafts.delete(id);
};
`;
