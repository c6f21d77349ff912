/** Programs that run what a file of the folder says: which file, and which lines would run. */
import { describe, expect, it } from 'vitest';
import { readLaunched } from '../../../../lib/features/runner/shell/launchers.ts';
import { classify, HERE } from './judge-command.ts';

const SITE = HERE.folder;

describe('launches', () => {
  it.each<[string, string, readonly string[]]>([
    ['npm test', `${SITE}/package.json`, ['test']],
    ['npm t -s', `${SITE}/package.json`, ['t']],
    ['npm run build a -- --prefix x', `${SITE}/package.json`, ['build']],
    ['cd src && env A=b timeout 5 yarn build --watch', `${SITE}/src/package.json`, ['build']],
    ['pnpm run lint', `${SITE}/package.json`, ['lint']],
    ['make', `${SITE}/Makefile`, ['']],
    ['gmake -j4 a b', `${SITE}/Makefile`, ['a', 'b']],
    ['just deploy', `${SITE}/justfile`, ['deploy']],
    ['composer test', `${SITE}/composer.json`, ['test']],
    // Nobody can say which file, or what of it.
    ['npm run build --prefix ../b', '', []],
    ['npm run "$x"', '', []],
    ['npm exec thing', '', []],
    ['pnpm -r test', '', []],
    ['yarn', '', []],
    ['make -C sub', '', []],
    ['make SHELL=./x.sh', '', []],
    ['just a b', '', []],
    ['cd "$x"; npm test', '', ['test']],
  ])('of %s is of the file %s', (command, file, tasks) => {
    expect(classify(command).launches).toMatchObject([{ file, tasks }]);
  });

  it.each(['npm ls', 'npm install', 'npm ci', 'make --version', 'composer install', 'cargo test', 'cat Makefile'])(
    'has none: %s',
    (command) => {
      expect(classify(command).launches).toStrictEqual([]);
    },
  );
});

const PACKAGE = JSON.stringify({ scripts: { pretest: 'make a', test: 'node --test', x: 'rm -rf x' } });
const MAKEFILE = `V := $(shell date)
.PHONY: all
all: build
\t@echo $(V)

push: build
\tscp a b \\
c

# remark
\techo done
build:
\tcc a.c
clean: ; rm -rf out
`;
const JUSTFILE = 'v := `date`\n\nship env="a": build\n    scp {{env}}\n\nbuild:\n    cc a.c\n';

describe('readLaunched', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['npm', 'test', PACKAGE, ['pretest: make a', 'test: node --test']],
    ['npm', 't', PACKAGE, ['pretest: make a', 'test: node --test']],
    ['composer', 'a', '{"scripts": {"a": ["@b", "@php x.php"], "b": "rm x"}}', ['a: @b', 'a: @php x.php']],
    ['make', '', MAKEFILE, ['V := $(shell date)', 'all: build', '\t@echo $(V)', 'build:', '\tcc a.c']],
    ['make', 'clean', MAKEFILE, ['V := $(shell date)', 'clean: ; rm -rf out']],
    [
      'make',
      'push',
      MAKEFILE,
      [
        ...['V := $(shell date)', 'push: build', '\tscp a b \\', 'c', '# remark', '\techo done'],
        ...['build:', '\tcc a.c'],
      ],
    ],
    ['just', 'ship', JUSTFILE, ['v := `date`', 'ship env="a": build', '    scp {{env}}', 'build:', '    cc a.c']],
    ['just', '', JUSTFILE, ['v := `date`', 'ship env="a": build', '    scp {{env}}', 'build:', '    cc a.c']],
    // Nobody can say.
    ['npm', 'start', PACKAGE, []],
    ['npm', 'test', '{', []],
    ['npm', 'toString', PACKAGE, []],
    ['make', 'gone', MAKEFILE, []],
    ['make', 'all', `include x.mk\n${MAKEFILE}`, []],
    ['make', 'all', `SHELL = ./x\n${MAKEFILE}`, []],
    ['make', 'all', `${MAKEFILE}$(T): ; x\n`, []],
    ['make', 'a.o', '%.o: %.c\n\tcc\na.o: a.c\n', []],
    ['just', 'build', `import "x.just"\n${JUSTFILE}`, []],
    ['just', 'build', `set shell := ["./x"]\n${JUSTFILE}`, []],
    ['cargo', 'test', '[package]', []],
  ])('shows what %s %s would run', (program, task, text, lines) => {
    expect(readLaunched({ program, tasks: [task] }, text).lines).toStrictEqual(lines);
  });

  it('gives the commands among them, and nothing if one name is not found', () => {
    expect(readLaunched({ program: 'npm', tasks: ['test'] }, PACKAGE).commands).toStrictEqual([
      'make a',
      'node --test',
    ]);
    const composer = '{"scripts": {"a": ["@b", "@php x.php", "App\\\\X::y"]}}';
    expect(readLaunched({ program: 'composer', tasks: ['a'] }, composer).commands).toStrictEqual([
      ...['composer run-script b', 'php x.php', 'App\\X::y'],
    ]);
    expect(readLaunched({ program: 'make', tasks: ['all', 'gone'] }, MAKEFILE).lines).toStrictEqual([]);
  });
});
