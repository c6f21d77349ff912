/** All tools, as data: one that is not in this list does not exist. Pure. */

import { FEATURE_TOOLS } from '../../features/tools.ts';
import type { Sensor } from '../signal/signal.ts';
import { autoSaveTool } from './auto-save.ts';
import { calculate } from './calculate.ts';
import { changeSetting } from './change-setting.ts';
import { currentTime } from './current-time.ts';
import { editMemory } from './edit-memory.ts';
import { ingest } from './ingest.ts';
import { ingestFile } from './ingest-file.ts';
import { listMemory } from './list-memory.ts';
import { listChats, removeChat } from './manage-chats.ts';
import { proposePlan } from './propose-plan.ts';
import { readOutput } from './read-output.ts';
import { recall } from './recall.ts';
import { remember } from './remember.ts';
import { revert } from './revert.ts';
import { rollback } from './rollback.ts';
import { runCode } from './run-code.ts';
import { sendFile } from './send-file.ts';
import { sendMessage } from './send-message.ts';
import { snapshot } from './snapshot.ts';
import { startProject } from './start-project.ts';
import { summariseSession } from './summarise-session.ts';
import type { Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [
  remember,
  recall,
  listMemory,
  startProject,
  ...FEATURE_TOOLS.notes,
  snapshot,
  autoSaveTool,
  rollback,
  revert,
  ingest,
  ingestFile,
  summariseSession,
  currentTime,
  calculate,
  runCode,
  readOutput,
  ...FEATURE_TOOLS.files,
  ...FEATURE_TOOLS.servers,
  listChats,
  removeChat,
  changeSetting,
  ...FEATURE_TOOLS.skills,
  proposePlan,
  ...FEATURE_TOOLS.web,
  ...FEATURE_TOOLS.machines,
  ...FEATURE_TOOLS.upkeep,
  // The last to find room in a small prompt.
  sendMessage,
  sendFile,
  editMemory,
];

export const findTool = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name);

/** The only tool of turns that such a signal began; undefined for ordinary turns. */
export const onlyToolOf = (sensor: Sensor): Tool | undefined => TOOLS.find((tool) => tool.onlyFor === sensor);
