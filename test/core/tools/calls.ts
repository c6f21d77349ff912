/** One call of each tool, with the sentence that names it. */
import type { JsonObject } from '../../../lib/core/base/json.ts';

const NOTE = '1a2b3c4d'.repeat(4);
const SHA = 'ab'.repeat(32);
export const JOB = {
  name: 'drink-water',
  when: { kind: 'every', minutes: 5, from: 0 },
  work: { kind: 'steps', steps: [{ say: 'drink water' }] },
  to: [{ target: 'telegram', to: '7' }],
  catchUp: { mode: 'skip', minutes: 1, runs: 1 },
  overlap: 'skip',
  spreadSeconds: 0,
  pauseAfter: 0,
  promises: 'nothing',
};

/** The arguments of a call, and what a person reads of it. */
const STEP = { words: 'Work it out', tool: 'calculate', args: { expression: '6*7' } };

export const CALLS: Readonly<Record<string, readonly [args: JsonObject, sentence: string]>> = {
  remember: [{ text: 'my bike is blue' }, 'Keep the note “my bike is blue”'],
  recall: [{ query: 'bike' }, 'Look in memory for “bike”'],
  'list-memory': [{}, 'List the newest notes'],
  'start-project': [{ title: 'The move' }, 'Start the project “The move”'],
  'list-chats': [{}, 'List the paired chats'],
  'change-setting': [{ name: 'TELEGRAM_APPROVERS', value: '7' }, 'Set TELEGRAM_APPROVERS to 7'],
  'remove-chat': [{ chat: '7' }, 'Remove the paired Telegram chat 7: nothing from it is taken any more'],
  forget: [{ id: NOTE }, 'Forget the note 1a2b3c4d for good, with every mention of it'],
  snapshot: [{ name: 'before' }, "Keep memory's present state under the name “before”"],
  'auto-save': [{}, "Keep memory's present state, if it changed"],
  rollback: [{ to: 4, head: 6, changes: ['a', 'b'] }, 'Take memory back to its state number 4, with 2 changes'],
  revert: [{ signal: 'tg-1-2' }, 'Take back what “tg-1-2” changed in memory'],
  ingest: [{ tree: SHA, nodes: 3 }, 'Take 3 notes from an editor into memory'],
  'ingest-file': [
    { n: 0, hash: SHA, name: 'a.txt' },
    'Keep the text of the file “a.txt” in memory, as words of others',
  ],
  'summarise-session': [{ text: 'They met.' }, 'Keep a summary of this conversation: “They met.”'],
  'current-time': [{}, 'Look at the clock'],
  calculate: [{ expression: '6*7' }, 'Work out “6*7”'],
  'run-code': [{ language: 'javascript', code: '1\n+ 1' }, 'Run this program in the sandbox: “1 ⏎ + 1”'],
  'read-attachment': [{ kind: 'a voice message', file: 'AwAC', seconds: 12 }, 'Read a voice message'],
  'read-output': [{ id: 'x' }, 'Read on in a long result'],
  'add-mcp-server': [
    { server: 'tracker', url: 'https://mcp.example.com/' },
    'Ask the server tracker at “https://mcp.example.com/” which tools it offers',
  ],
  'accept-mcp-server': [
    { server: 'tracker', offer: '3f2a9c1b7d04' },
    'Let in the tools of the server tracker, as shown under 3f2a9c1b7d04',
  ],
  'remove-mcp-server': [{ server: 'tracker' }, 'Take the server tracker and its tools away'],
  'list-mcp-servers': [{}, 'List the servers and their tools'],
  'log-in-mcp-server': [
    { server: 'tracker', url: 'https://mcp.example.com/', redirect: 'http://127.0.0.1:5/callback' },
    'Begin to log in at the server tracker at “https://mcp.example.com/”: ask who vouches there, for a browser at “http://127.0.0.1:5/callback”',
  ],
  'log-out-mcp-server': [
    { server: 'tracker', url: 'https://mcp.example.com/' },
    'Log out of the server tracker at “https://mcp.example.com/”, and erase its tokens',
  ],
  'pair-runner': [{ name: 'home', codeHash: SHA }, 'Let a machine pair under the name home'],
  'pause-runner': [{ name: 'home' }, 'Pause your machine home: it gets no further work'],
  'resume-runner': [{ name: 'home' }, 'Let your machine home take work again'],
  'remove-runner': [{ name: 'home' }, 'Remove your machine home: its key counts no more'],
  'list-runners': [{}, 'List your machines'],
  'add-provider': [
    { name: 'lab', url: 'https://llm.example.com/v1', models: 'small|large', order: 'groq,lab' },
    'Add the provider lab at “https://llm.example.com/v1”, with “small|large”; the order is groq,lab',
  ],
  'add-local-provider': [
    { name: 'here', url: 'http://127.0.0.1:11434/v1', models: '', order: 'groq,here' },
    'Add the provider here at “http://127.0.0.1:11434/v1”; the order is groq,here',
  ],
  'try-provider': [
    { name: 'lab', url: 'https://llm.example.com/v1', models: '', order: '' },
    'Try the provider lab at “https://llm.example.com/v1”',
  ],
  'try-local-provider': [
    { name: 'here', url: 'http://127.0.0.1:11434/v1', models: '', order: '' },
    'Try the provider here at “http://127.0.0.1:11434/v1”',
  ],
  'order-providers': [
    { name: 'lab', url: '', models: '', order: 'groq,here' },
    'Remove lab. Ask only, in this order: groq,here',
  ],
  'add-skill': [
    { files: [{ path: 'SKILL.md', text: 'a' }], trust: 'owner' },
    'Put a skill of 1 file in force, and count its words as yours: “SKILL.md”',
  ],
  'keep-skill-file': [{ text: 'a' }, 'Keep a file of a skill for a week: “a”'],
  'remove-skill': [{ name: 'tea' }, 'Take the skill tea away'],
  'switch-skill-jobs': [{ name: 'tea', isOn: false }, 'Pause the jobs of the skill tea'],
  'read-skill': [{ skill: 'tea', file: 'a.md' }, 'Read “a.md” of the skill tea'],
  'run-skill': [{ skill: 'tea', tool: 'steep', args: {} }, 'Work something out with “steep” of the skill tea'],
  'edit-skill': [
    { skill: 'tea', file: 'SKILL.md', replace: 'a', with: 'b', before: SHA, after: SHA },
    'Change the skill tea: in its file “SKILL.md” write “b”',
  ],
  'look-for-habits': [{}, 'Look for something to offer'],
  'accept-offer': [
    { offer: { kind: 'grant' } },
    'Let what you approved again and again pass without asking, within bounds',
  ],
  'schedule-job': [JOB, 'Every 5 minutes: say “drink water” (job drink-water)'],
  delegate: [
    { words: 'Find the price.', tools: ['recall'], capUsd: 100_000, depth: 1 },
    'Let a helper work on “Find the price.” with recall, for $0.10 at most',
  ],
  'list-jobs': [{}, 'List the jobs'],
  'pause-job': [{ name: 'tea' }, 'Pause the job tea'],
  'resume-job': [{ name: 'tea' }, 'Resume the job tea'],
  'remove-job': [{ name: 'tea' }, 'Remove the job tea'],
  'run-job': [{ name: 'tea' }, 'Run the job tea once, now'],
  'propose-plan': [
    {
      steps: [
        { tool: 'calculate', args: { expression: '6*7' } },
        { tool: 'calculate', args: { expression: '6*8' }, times: 3 },
      ],
    },
    'Let these pass in this task: 1. Work out “6*7”; 2. Work out “6*8” (up to 3 times)',
  ],
  'run-runbook': [
    { runbook: 'deploy-gate', hash: SHA, inputs: { version: '1.2', service: 'shop' }, approveWhole: false },
    'Run the runbook deploy-gate: service “shop”, version “1.2”',
  ],
  'list-runbooks': [{}, 'List the runbooks'],
  'ask-person': [{ question: 'Deploy now?' }, 'A runbook asks: “Deploy now?”'],
  'give-answer': [{ text: 'yes' }, 'Answer “yes”'],
  'call-webhook': [
    { webhook: 'deploy', body: { version: '1.2', of: { service: 'shop' } } },
    'Call the webhook deploy: of “{"service":"shop"}”, version “1.2”',
  ],
  'fetch-url': [{ url: 'https://example.com/' }, 'Open the page “https://example.com/” and read it'],
  'search-web': [{ query: 'tides in Lisbon', service: 'Brave Search' }, 'Ask Brave Search for “tides in Lisbon”'],
  shell: [{ cmd: 'npm test', folder: '/home/me/site', runner: 'home' }, 'Run “npm test” in “/home/me/site” on home'],
  'read-file': [{ path: '/a.txt', runner: 'home' }, 'Read the file “/a.txt” on home'],
  'write-file': [{ path: '/a.txt', content: 'b', runner: 'home' }, 'Write the file “/a.txt” on home: “b”'],
  'edit-file': [
    { path: '/a.txt', find: 'a', replace: 'b', runner: 'home' },
    'In the file “/a.txt” on home write “b” in place of “a”',
  ],
  'list-files': [{ path: '/', runner: 'home' }, 'List the folder “/” on home'],
  'search-files': [{ pattern: 'a+', path: '/', runner: 'home' }, 'Search for “a+” below “/” on home'],
  'tend-memory': [{}, 'Look memory through for what could be tidied up'],
  'mend-memory': [{ mends: [{ kind: 'close', id: NOTE }] }, 'Tidy memory up with 1 change'],
  'gather-turns': [{}, 'Gather the conversations since the last time'],
  'keep-notes': [{ from: 0, until: 1, turns: ['a'], answer: '[]' }, 'Keep notes of 1 message'],
  'pick-notes': [{}, 'Pick a few notes to think about'],
  'keep-insight': [{ text: 'a', notes: [NOTE], isNew: true }, 'Keep the thought “a”, drawn from 1 note'],
  'send-file': [{ to: 'mum', name: 'a.md', content: 'Hello' }, 'Send the file “a.md”: “Hello”'],
  'send-message': [{ to: 'mum', text: 'Hello' }, 'Send this text to mum: “Hello”'],
  'read-notes': [{ id: NOTE }, 'Read the note 1a2b3c4d and those below it'],
  'arrange-notes': [{ note: NOTE, summary: { title: 'In short', text: 'Fruit' } }, 'Add a summary to 1a2b3c4d'],
  'list-mcp-events': [
    { server: 'tracker', url: 'https://mcp.example.com/' },
    'Ask the server tracker at “https://mcp.example.com/” which events it has',
  ],
  'poll-mcp-events': [
    { server: 'tracker', url: 'https://mcp.example.com/', events: 'issue.created' },
    'Read the events “issue.created” of the server tracker at “https://mcp.example.com/”',
  ],
  'write-plan': [{ title: 'Rent', steps: [STEP] }, 'Write the plan “Rent” of 1 step'],
  'run-plan': [
    { plan: NOTE, title: 'Rent', steps: [STEP], hash: 'a'.repeat(64), approveWhole: true },
    'Perform the plan “Rent”: 1. Work out “6*7”',
  ],
  'mark-plan': [{ plan: NOTE }, 'Write the states of the steps of a plan'],
  'edit-memory': [{ id: NOTE, state: 'DONE' }, 'Change the note 1a2b3c4d: state “DONE”'],
};
