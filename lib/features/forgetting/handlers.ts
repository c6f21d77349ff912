/** The answer to the verb that forgets: one call of the tool, as only Act writes memory (I2). */
import { defined } from '../../core/base/defined.ts';
import { hiderOf } from '../../core/operations/code-context.ts';
import { change, type Handler } from '../../core/operations/operation.ts';
import { UsageError, usageOf } from '../../core/operations/read-words.ts';
import { findObject } from '../notes/find-object.ts';
import { noteTexts } from '../notes/texts.ts';
import { forget } from './operations.ts';

const OBJECT_ID = /^[0-9a-f]{32}$/;
const ID_START = /^[0-9a-f]{6,31}$/i;

export const FORGETTING_HANDLERS: readonly Handler[] = [
  // The words after the id name further signals whose turns are to be erased.
  change(forget, async (context, { id: start, signals }) => {
    const find = async () => {
      const { objects } = await context.memory.view();
      return findObject(objects, hiderOf(context), start, await noteTexts.in(context.language)).id;
    };
    const id = ID_START.test(start) ? await find() : start.toLowerCase();
    if (!OBJECT_ID.test(id)) throw new UsageError(usageOf(forget));
    return { call: { tool: 'forget', args: { id, ...defined({ signals: signals?.split(/\s+/) }) } } };
  }),
];
