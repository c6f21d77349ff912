/**
 * Building the page's elements: text goes in as text, never as markup, and characters that could
 * hide or reorder what a person reads are spelled out.
 */
export const SCRIPT_DOM = String.raw`
const byId = (id) => document.getElementById(id);
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|[\p{Default_Ignorable_Code_Point}--[\ufe0e\ufe0f]]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]/gv;
const visible = (text) => String(text).replace(INVISIBLE, (character) =>
  character === '\n' ? '\n' : '\\u{' + character.codePointAt(0).toString(16) + '}');

const element = (tag, className, ...children) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const child of children) {
    if (child === undefined || child === null) continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return node;
};

const outsideText = (tag, className, text) => {
  const node = element(tag, className, text);
  node.dir = 'auto';
  return node;
};

const badge = (word, className) => element('span', 'badge ' + (className || word), word);
const fill = (node, children) => node.replaceChildren(...children);

const clock = (ms) => {
  const then = new Date(ms);
  const isToday = then.toDateString() === new Date().toDateString();
  const time = then.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return isToday ? time : then.toLocaleDateString([], { day: 'numeric', month: 'short' }) + ' ' + time;
};
`;
