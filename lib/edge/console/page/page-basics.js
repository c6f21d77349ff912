/**
 * The page's elements and requests. Text becomes text, never markup, and characters that could hide
 * or reorder what a person reads are spelled out. The token arrives in the URL's fragment, which
 * browsers send to nobody; it moves to this tab's session storage, and leaves only as a Bearer
 * header to this server and its control function.
 */

import { readMarkup } from '../../../text/markup.ts';

/** @param {string} id @returns {HTMLElement} */
export const byId = (id) => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
};

/** @param {string} id @returns {HTMLInputElement | HTMLTextAreaElement} */
export const fieldOf = (id) => {
  const found = byId(id);
  if (found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement) return found;
  throw new Error(`the element ${id} is no field`);
};

const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|[\p{Default_Ignorable_Code_Point}--[\ufe0e\ufe0f]]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]/gv;

/** @param {unknown} text */
export const visible = (text) =>
  String(text).replace(INVISIBLE, (character) =>
    character === '\n' ? '\n' : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {...(Node | string | null | undefined)} children text is made visible; null is left out
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const element = (tag, className, ...children) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const child of children) {
    if (child === undefined || child === null) continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return node;
};

/**
 * Text that somebody else wrote, in its own direction. @param {'p' | 'pre' | 'div' | 'span'} tag
 * @param {string} className @param {string} text
 */
export const outsideText = (tag, className, text) => {
  const node = element(tag, className, text);
  node.dir = 'auto';
  return node;
};

/** How each mark of Markdown is shown. */
const MARKS = /** @type {const} */ ({ bold: 'strong', italic: 'em', code: 'code', pre: 'pre' });

/**
 * A text with its Markdown. Marks become elements, and what stands in them stays text.
 * @param {string} className @param {string} source
 */
export const markedText = (className, source) => {
  const { text, entities } = readMarkup(source);
  const node = element('div', className);
  node.dir = 'auto';
  let end = 0;
  for (const { type, offset, length } of entities) {
    node.append(visible(text.slice(end, offset)), element(MARKS[type], '', text.slice(offset, offset + length)));
    end = offset + length;
  }
  node.append(visible(text.slice(end)));
  return node;
};

/** @param {string} label @param {string} className @param {() => void} onClick */
export const buttonOf = (label, className, onClick) => {
  const button = element('button', className, label);
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
};

/** @param {string} word @param {string} [className] */
export const badge = (word, className) => element('span', `badge ${className || word}`, word);

/** @param {Element} node @param {readonly Node[]} children */
export const fill = (node, children) => node.replaceChildren(...children);

/** @param {number} ms */
export const clock = (ms) => {
  const then = new Date(ms);
  const isToday = then.toDateString() === new Date().toDateString();
  const time = then.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return isToday ? time : `${then.toLocaleDateString([], { day: 'numeric', month: 'short' })} ${time}`;
};

/**
 * Values that the server writes into the page.
 * @type {{ controlOrigin: string, controlPath: string, grantUses: number, grantHours: number }}
 */
export const SETTINGS = JSON.parse(document.querySelector('meta[name=settings]')?.getAttribute('content') ?? '{}');
const CONTROL_PATH = new RegExp(SETTINGS.controlPath);
export const TOKEN = 'passepartout-token';

/** The token's owner: an approver, or a script, which only looks. */
export const caller = { role: /** @type {'approver' | 'script'} */ ('script') };

export const takeTokenFromUrl = () => {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) sessionStorage.setItem(TOKEN, given);
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
};

export const bearer = () => `Bearer ${sessionStorage.getItem(TOKEN) || ''}`;

/** @param {boolean} isOpen */
export const showDoor = (isOpen) => {
  const hasSignedIn = !isOpen && !byId('door').hidden;
  byId('door').hidden = !isOpen;
  byId('desk').hidden = isOpen;
  byId('stop').hidden = isOpen || caller.role !== 'approver';
  byId('say').hidden = caller.role !== 'approver';
  if (hasSignedIn) byId('text').focus();
};

/** @param {string} text */
export const showProblem = (text) => {
  byId('problem').hidden = !text;
  byId('problem').textContent = text;
};

/**
 * The callers name the type of the answer.
 * @param {'GET' | 'POST'} method @param {string} path @param {object} [body]
 */
export const call = async (method, path, body) => {
  const origin = method === 'POST' && CONTROL_PATH.test(path) ? SETTINGS.controlOrigin : '';
  const response = await fetch(origin + path, {
    method,
    cache: 'no-store',
    credentials: 'omit',
    headers: {
      authorization: bearer(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json().catch(() => ({}));
  // A script's token that may not read has nothing to see here.
  if (response.status === 401 || (response.status === 403 && method === 'GET')) {
    sessionStorage.removeItem(TOKEN);
    showDoor(true);
  }
  if (response.status === 401) throw new Error('The server does not know this token. Copy all of it again.');
  if (!response.ok && path !== '/health')
    throw new Error(answer.error ? answer.error.message : `the server answered ${response.status}`);
  return answer;
};

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Shows a failure to the person. @template T @param {() => Promise<T>} work @returns {Promise<T |
 * undefined>}
 */
export const attempt = async (work) => {
  try {
    showProblem('');
    return await work();
  } catch (error) {
    const isOffline = error instanceof TypeError;
    showProblem(isOffline ? 'The server cannot be reached.' : `That did not work: ${messageOf(error)}`);
    return undefined;
  }
};
