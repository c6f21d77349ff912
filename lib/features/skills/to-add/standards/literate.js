// Literate Org files: balanced blocks, and one explained definition in each source block. Nothing
// writes directly to a file that was tangled from one.
const MARK = /^\s*#\+(begin|end)_(\S+)/i;
const DEFINITIONS = [
  /^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|type|interface|enum)\s+\w/,
  /^(?:async\s+)?(?:def|class)\s+\w/,
  /^\(def[\w-]*\s/,
  /^(?:pub\s+)?(?:fn|struct|trait|impl)\s+\w/,
];
/** Links that tangling leaves in comments, and the words of generators. */
const TANGLED = /\[\[file:[^\]\n]*\.org::|(?:tangled|generated) from [^\n]*\.org/i;

const pass = { verdict: 'pass' };
const block = (reason) => ({ verdict: 'block', reason });

function isProse(line) {
  return line.trim() !== '' && !/^\*+ /.test(line) && !/^\s*(?:#\+|# |:[^\s:]+:)/.test(line);
}

function balanceOf(text) {
  return text.split('\n').reduce((sum, line) => {
    const mark = MARK.exec(line);
    return mark === null ? sum : sum + (mark[1].toLowerCase() === 'begin' ? 1 : -1);
  }, 0);
}

function problemIn(text) {
  let open = '';
  let count = 0;
  let isExplained = false;
  const lines = text.split('\n');
  for (let n = 0; n < lines.length; n += 1) {
    const line = lines[n];
    const mark = MARK.exec(line);
    const name = mark === null ? '' : mark[2].toLowerCase();
    const isEnd = mark !== null && mark[1].toLowerCase() === 'end';
    if (open !== '') {
      if (isEnd && name === open) open = '';
      else if (open === 'src' && DEFINITIONS.some((one) => one.test(line))) count += 1;
      if (count > 1) return `line ${n + 1}: a source block holds more than one definition`;
    } else if (isEnd) return `line ${n + 1}: a block ends that was not begun`;
    else if (mark !== null) {
      if (name === 'src' && !isExplained)
        return `line ${n + 1}: no sentence before this source block says why it is there`;
      open = name;
      count = 0;
      isExplained = false;
    } else if (/^\*+ /.test(line)) isExplained = false;
    else if (isProse(line)) isExplained = true;
  }
  return open === '' ? '' : `a ${open} block is not closed`;
}

// biome-ignore lint/correctness/noUnusedVariables: the sandbox calls it
function gate({ tool, args = {} }) {
  if (tool !== 'write-file' && tool !== 'edit-file') return pass;
  const { path = '', content = '', find = '', replace = '' } = args;
  if (!/\.org$/i.test(path)) {
    const isTangled = TANGLED.test(tool === 'write-file' ? content : `${find}\n${replace}`);
    return isTangled ? block('this file is tangled from an Org file: change that one') : pass;
  }
  if (tool === 'write-file') {
    const problem = problemIn(content);
    return problem === '' ? pass : block(problem);
  }
  return balanceOf(find) === balanceOf(replace) ? pass : block('the change would leave a block open, or end one twice');
}
