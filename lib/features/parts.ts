/** Code of features' tools that is loaded late. `tools/parts.ts` alone imports this list. */
export { describeErased, FORGET_FORM } from './forgetting/forget-form.ts';
