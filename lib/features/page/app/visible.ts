/**
 * Text becomes text, never markup, and characters that could hide or reorder what a person reads
 * are spelled out. This holds for every text of every element: it is done where Preact makes one.
 */
import { type ComponentChild, type ComponentChildren, options } from 'preact';

const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|[\p{Default_Ignorable_Code_Point}--[\ufe0e\ufe0f]]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]/gv;

export const visible = (text: string): string =>
  text.replace(INVISIBLE, (character) =>
    character === '\n' ? '\n' : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

const showChild = (child: ComponentChildren): ComponentChildren => {
  if (typeof child === 'string') return visible(child);
  return Array.isArray(child) ? child.map((one: ComponentChild) => showChild(one)) : child;
};

const before = options.vnode;
options.vnode = (node) => {
  if (typeof node.type === 'string') node.props.children = showChild(node.props.children);
  before?.(node);
};
