import { globSync, readFileSync } from 'node:fs';
import { takeLanguageFrom } from '@invigil/core/domain/locale';
import { compileText, readCatalogue } from '@invigil/core/texts/catalogue';
import { addTexts, t } from '@invigil/core/texts/i18n';
import { LANGUAGE_TAGS } from '@invigil/core/texts/languages';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { allTexts, PARTS, partsOf, sourceFiles, textsIn } from '../web/texts.ts';
import {
  glossaryIn,
  marksIn,
  NOT_TRANSLATED,
  otherTerms,
  tooLong,
  translationProblems,
  valuesIn,
} from './translation-problems.ts';

/** Folders whose texts are all in the catalogues. */
const FINISHED = [
  ...[
    'admin',
    'answer-sync',
    'app',
    'candidate',
    'lib',
    'net',
    'proctoring',
    'public',
    'question-view',
    'ui',
  ].map((folder) => `web/src/${folder}`),
  ...['content', 'contract', 'domain', 'texts'].map((folder) => `core/src/${folder}`),
  // Mails, heads of workbooks, certificates, and the sentences of refusals.
  ...['deliveries', 'features', 'formats', 'http', 'sessions'].map(
    (folder) => `server/src/${folder}`,
  ),
];

const ROOT = new URL('..', import.meta.url).pathname;
const sources = sourceFiles();
const codeOf = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
const texts = allTexts().map((text) => ({ ...text, at: `${text.file}:${text.line}` }));

describe('a text', () => {
  it('has one English under one id', () => {
    const byId = Map.groupBy(texts, ({ id }) => id);
    const twice = [...byId.values()].filter(
      (all) => new Set(all.map((one) => one.english)).size > 1,
    );
    expect(twice.map((all) => all.map(({ id, at }) => `${id} ${at}`))).toEqual([]);
  });

  it('has an id by screen, in dots', () => {
    const odd = texts.filter(({ id }) => !/^[a-z][a-zA-Z0-9]*(\.[a-zA-Z0-9]+)+$/.test(id));
    expect(odd.map(({ id, at }) => `${id} ${at}`)).toEqual([]);
  });

  it('is said once the language is known, not when a module is loaded', () => {
    expect(texts.filter(({ isEarly }) => isEarly).map(({ id, at }) => `${id} ${at}`)).toEqual([]);
    expect(textsIn('a.ts', "const A = t('a.b', 'A');").map(({ isEarly }) => isEarly)).toEqual([
      true,
    ]);
  });

  it('is given the values that its English names, no others', () => {
    const wrong = texts.filter(({ english, values }) => {
      const named = new Set(valuesIn(compileText(english)));
      return values !== null && String([...named].sort()) !== String([...new Set(values)].sort());
    });
    expect(wrong.map(({ id, at }) => `${id} ${at}`)).toEqual([]);
  });

  it('is in the catalogue of its part as it is in the source (npm run texts)', () => {
    const parts = partsOf(texts);
    for (const part of PARTS) {
      const wanted = texts.filter(({ id }) => parts.get(id) === part);
      expect(readCatalogue(codeOf(`core/locales/en/${part}.po`))).toEqual(
        Object.fromEntries(wanted.map(({ id, english }) => [id, english])),
      );
    }
  });
});

/** Attributes whose value is read or heard. */
const READ =
  /^(title|label|hint|placeholder|alt|description|heading|text|busy|aria-(label|description|roledescription|valuetext)|\w+Label)$/;
/** A literal that reads like a sentence or a label of several words. */
const SENTENCE = /^[A-Z“‘][^\n]*\s\S*[a-z]/;
/** One word that a screen may show. */
const WORD = /^[A-Z][a-z]{2,}(?:…|\.{1,3})?$/;
/** Calls whose words are for a log, a developer or another machine. */
const OWN_WORDS = new Set([
  't',
  'logProblem',
  'Error',
  'DOMException',
  'TypeError',
  'RangeError',
  'RegExp',
]);

/** The API document stays English: a route, or what its row says about it. */
const ROUTE = /^(?:GET|POST|PUT|DELETE) \//;
const MARKUP = /<[^>]*(?:>|$)|^[^<>]*>/g;

const isNotTranslated = (node: ESTree.JSXAttributeItem): boolean =>
  node.type === 'JSXAttribute' &&
  node.name.name === 'translate' &&
  node.value?.type === 'Literal' &&
  node.value.value === 'no';

/** The words of a file that no catalogue has. */
function untranslatedIn(file: string, code: string): string[] {
  const { program } = parseSync(file, code);
  const found: string[] = [];
  const skipped: { start: number; end: number }[] = [];
  const add = (node: ESTree.Node, words: string) => {
    if (skipped.some(({ start, end }) => start <= node.start && node.end <= end)) return;
    found.push(`${file}:${code.slice(0, node.start).split('\n').length} ${words.trim()}`);
  };
  const skip = (node: ESTree.CallExpression | ESTree.NewExpression) => {
    if (node.callee.type === 'Identifier' && OWN_WORDS.has(node.callee.name)) skipped.push(node);
  };
  new Visitor({
    CallExpression: skip,
    NewExpression: skip,
    TSLiteralType: (node) => skipped.push(node),
    BinaryExpression: (node) => skipped.push(node),
    Property(node) {
      if (node.key.type === 'Identifier' && node.key.name === 'summary') skipped.push(node);
    },
    SwitchCase: ({ test }) => test && skipped.push(test),
    ImportDeclaration: (node) => skipped.push(node),
    JSXOpeningElement(node) {
      if (node.name.type === 'JSXIdentifier' && node.name.name === 'Trans') skipped.push(node);
    },
    JSXElement(node) {
      if (node.openingElement.attributes.some(isNotTranslated)) skipped.push(node);
    },
    JSXText(node) {
      if (/\p{L}{2}/u.test(node.value)) add(node, node.value);
    },
    JSXAttribute(node) {
      const name = String(node.name.name);
      if (/^(className|\w+Class(Name)?|d|points|transform|autoComplete|name)$/.test(name))
        skipped.push(node);
      else if (node.value?.type === 'Literal' && READ.test(name)) {
        if (/\p{L}{2}/u.test(String(node.value.value))) add(node, String(node.value.value));
        skipped.push(node);
      }
    },
    Literal(node) {
      if (typeof node.value !== 'string' || ROUTE.test(node.value)) return;
      const isWord = file.startsWith('web/') && WORD.test(node.value);
      if (SENTENCE.test(node.value) || isWord) add(node, node.value);
    },
    TemplateElement(node) {
      const words = (node.value.cooked ?? '').replaceAll(MARKUP, '');
      // On a server most templates are SQL, in lower case.
      const read = file.startsWith('server/') ? SENTENCE : /\p{L}{2,} \p{L}{2,}/u;
      if (read.test(words)) add(node, words);
    },
  }).visit(program);
  return found;
}

/** Strings that only look like words for people. */
const NOT_READ = [
  // Stored by earlier versions.
  ...['Replaced by a newer', 'The invitation was revoked', 'Its one-time password was replaced'],
  ...['The assessment was deleted', 'Its link was not', 'Its link or one-time'],
  ...['Common Cartridge', 'TeX', 'https://', 'A \\rightarrow B', 'list-d', 'block w-fit '],
  ...['smtp.example.org', 'assessments@example.org'],
  // Kept with the attempt, for the log or for programs.
  ...['This answer is too large to be saved', 'The page', 'Assessment Page', 'Review Page'],
  ...['unexpected status', 'times in two minutes', 'Mac Roman', 'Control+K Meta+K', 'Invigil'],
  'Português (Brasil)',
  // Refusals of what our own pages never send.
  ...['Texts must not contain', 'The first line says', 'Invalid first line', 'Send '],
  'Select at most',
  ...['This is not an option', 'This question is not on', 'This question appears twice'],
  'Changed somewhere else',
  // Said to the operator, or by the API document.
  ...['SMTP_URL is ignored', 'ADMIN_PASSWORD is', 'The web app ', 'Building the web app'],
  'Online proctored multiple-choice',
  // Words of other programs' files.
  ...['PowerPoint Document', 'Calculated ', 'Drag and drop', 'Random short-answer', 'QTI Package'],
  ...['Select missing words', 'Correct answer'],
  ...['Your answer is', 'Die Antwort ist', 'Votre réponse est', 'Short Response', 'Long Answer'],
  ...['Written Response', 'File Upload', 'File Response', 'Started At (', 'Submitted At ('],
  // Heads and examples of files, which programs read.
  ...['Given name', 'Family name', 'Extra time', 'Correct Answer', 'Which planet is closest'],
  ...['Water boils at', 'J eV cal', 'Pa bar'],
  // Styles, and names of elements and functions.
  ...['grid ', 'inline-flex ', 'rounded-lg ', 'address article', 'a abbr', 'script style'],
  ...['audio video', 'arccos arcsin', '<img src='],
];
/** Single words that are keys, names, or compared with what is stored. */
const LONE = new Set(
  'Ctrl Meta Control Enter Escape Backspace Excel Aiken Markdown Files Engine Section Review'.split(
    ' ',
  ),
);
const isRead = (found: string) => {
  const words = found.slice(found.indexOf(' ') + 1);
  return !LONE.has(words) && !NOT_READ.some((begin) => words.startsWith(begin));
};

describe('words outside of the catalogues', () => {
  it.each(FINISHED)('none in %s', (folder) => {
    const own = sources.filter((file) => file.startsWith(`${folder}/`));
    expect(own.length).toBeGreaterThan(0);
    expect(own.flatMap((file) => untranslatedIn(file, codeOf(file))).filter(isRead)).toEqual([]);
  });

  it.each([
    ['<p>Two words</p>', 1],
    ['<p>{" · "}</p>', 0],
    ['<Field label="Email" className="mt-2 flex" />', 1],
    ['<Field label={t("a.b", "Email")} />', 0],
    ['<Trans id="a.b" message="Wait {n} s" />', 0],
    ['toast({ title: "Login failed twice" })', 1],
    ['`Wait $' + '{n} seconds more`', 1],
    ['<code translate="no">npm run backup</code>', 0],
    ['logProblem("The screen was late", cause)', 0],
    ['const path = "/quiz/instructions"', 0],
    ['<p>{isAll ? "All" : word}</p>', 1],
    ['<p>{key === "Enter" ? word : null}</p>', 0],
  ])('%s: %i', (code, count) => {
    expect(untranslatedIn('web/a.tsx', code)).toHaveLength(count);
  });

  it.each([
    ["throw new AppError('NOT_FOUND', { message: 'Nothing is here' })", 1],
    ["issues.push({ path, message: t('a.b', 'Nothing is here') })", 0],
    ['const html = `<p class="a b">Dear $' + '{name}</p><p>Good luck to all</p>`', 1],
    ['const html = `<p class="a b">$' + '{text}</p>`', 0],
    ["endpoint('GET /api/people', ADMIN, { summary: 'All people' })", 0],
    ["z.string({ error: 'Enter a name' })", 1],
    ['sql`select id from people where $' + '{one} and not erased`', 0],
  ])('on the server, %s: %i', (code, count) => {
    expect(untranslatedIn('server/a.ts', code)).toHaveLength(count);
  });
});

describe('a translation', () => {
  const others = LANGUAGE_TAGS.filter((tag) => tag !== 'en');
  /** Each whole: half a page is in no language. */
  const TRANSLATED = PARTS;

  it('has a folder for each language, and each language a folder', () => {
    expect(
      globSync('core/locales/*', { cwd: ROOT })
        .map((path) => path.split('/').at(-1))
        .sort(),
    ).toEqual([...LANGUAGE_TAGS].sort());
  });

  it.each(others.flatMap((language) => TRANSLATED.map((part) => [language, part] as const)))(
    'fits its English: %s, %s',
    (language, part) => {
      const english = readCatalogue(codeOf(`core/locales/en/${part}.po`));
      const po = codeOf(`core/locales/${language}/${part}.po`);
      const texts = readCatalogue(po);
      const marks = marksIn(po);
      const problems = Object.entries(english).flatMap(([id, own]) => {
        const text = texts[id];
        if (text === undefined) return [`${id} is missing, or of another English (npm run texts)`];
        return translationProblems(own, text, language)
          .filter((problem) => problem !== NOT_TRANSLATED || !marks.get(id)?.has('Same'))
          .map((problem) => `${id} ${problem}`);
      });
      expect(problems).toEqual([]);
    },
  );

  it.each([
    ['Wait {n} s', 'Warten Sie {m} s', 'de', ['lacks the value n', 'has a value m of its own']],
    ['<b>Now</b>', 'Jetzt', 'de', ['lacks the element <b>', 'lacks the element </b>']],
    [
      '{n, plural, one {# day} other {# days}}',
      '{n, plural, other {# أيام}}',
      'ar',
      [
        ...['zero', 'one', 'two', 'few', 'many'].map(
          (form) => `lacks the plural form ${form} of n`,
        ),
      ],
    ],
    ['{n, plural, one {# day} other {# days}}', '{n, plural, other {# 天}}', 'zh', []],
    [
      'At most {n} MiB',
      'الحد الأقصى {n} MiB',
      'ar',
      ['has a Latin unit outside of isolates, which stands before its number'],
    ],
    ['At most {n} MiB', 'الحد الأقصى \u2066{n} MiB\u2069', 'ar', []],
    ['Sign in', 'Sign in', 'zh', ['is not translated']],
    ['Sign in', 'Sign in', 'de', ['is not translated']],
    ['Type', 'Type', 'fr', []],
    ['Wait until they begin', 'Warten, until they begin', 'de', ['is not translated']],
    ['Run <c>npm run audit:verify</c> now', 'Jetzt <c>npm run audit:verify</c> aufrufen', 'de', []],
    ['Sign in', ' Anmelden', 'de', ['has spaces too many']],
  ])('%s as %s in %s', (english, text, language, problems) => {
    expect(translationProblems(english, text, language)).toEqual(problems);
  });

  it.each(others)(
    'keeps to its glossary, and to the room on buttons and at heads: %s',
    (language) => {
      const glossary = glossaryIn(codeOf(`docs/translation-notes/${language}.md`), language);
      const narrow = new Map(texts.map((text) => [text.id, text.narrow]));
      const problems = TRANSLATED.flatMap((part) => {
        const english = readCatalogue(codeOf(`core/locales/en/${part}.po`));
        const po = codeOf(`core/locales/${language}/${part}.po`);
        const marks = marksIn(po);
        return Object.entries(readCatalogue(po)).flatMap(([id, text]) => {
          const own = english[id] ?? '';
          const place = narrow.get(id);
          const long = place && !marks.get(id)?.has('Long') ? tooLong(own, text, place) : [];
          const other = marks.get(id)?.has('Term') ? [] : otherTerms(own, text, glossary, language);
          return [...long, ...other].map((problem) => `${id} ${problem}`);
        });
      });
      expect(problems).toEqual([]);
    },
  );

  it('that is too long, or says a term otherwise, is told', () => {
    expect(tooLong('Save', 'Speichern', 'button')).toEqual([]);
    expect(tooLong('Save', 'Jetzt speichern', 'button')).toHaveLength(1);
    expect(tooLong('Save', 'Jetzt speichern', 'head')).toEqual([]);
    expect(
      tooLong(
        '{n, plural, one {# day} other {# days}}',
        '{n, plural, other {# 个很长很长很长的工作日}}',
        'head',
      ),
    ).toHaveLength(1);
    const notes = codeOf('docs/translation-notes/de.md');
    const glossary = glossaryIn(notes, 'de');
    expect(otherTerms('Save the receipts', 'Belege speichern', glossary, 'de')).toEqual([]);
    expect(otherTerms('Save the receipts', 'Quittungen speichern', glossary, 'de')).toHaveLength(1);
    expect(() => glossaryIn(notes.replaceAll('receipt', 'slip'), 'de')).toThrow(
      'no row for receipt',
    );
    expect(marksIn('# Long: no shorter word\nmsgctxt "a.b"\nmsgid ""').get('a.b')).toEqual(
      new Set(['Long']),
    );
  });

  it('that is no message is told', () => {
    expect(translationProblems('{n} s', '{n s', 'de')[0]).toMatch(/^is no ICU message/);
  });

  /** The numbers that a text does not say, in the language in use. */
  const unsaid = (all: readonly { id: string; english: string }[]): string[] => {
    const broken: string[] = [];
    for (const { id, english } of all) {
      const counted = [...english.matchAll(/\{(\w+), plural,/g)].map(([, name = '']) => name);
      const names = valuesIn(compileText(english));
      for (const n of [0, 1, 2, 3, 5, 11, 21, 100, 1.5]) {
        const values = names.map((name) => [name, counted.includes(name) ? n : 'x'] as const);
        const said = t(id, english, Object.fromEntries(values));
        if (said === '' || /[#{}]|undefined|null/.test(said)) broken.push(`${id} ${n}: ${said}`);
      }
    }
    return broken;
  };
  const inIt = (language: string, added: Record<string, string>, all: typeof texts) => {
    addTexts(language, added);
    takeLanguageFrom(() => language);
    try {
      return unsaid(all.filter((text) => text.english.includes(', plural,')));
    } finally {
      takeLanguageFrom(() => 'en');
    }
  };

  it.each(others)('says each number: %s', (language) => {
    const files = TRANSLATED.map((part) => codeOf(`core/locales/${language}/${part}.po`));
    expect(inIt(language, Object.assign({}, ...files.map(readCatalogue)), texts)).toEqual([]);
  });

  it('that says nothing for a number is told', () => {
    const english = '{n, plural, one {# day} other {# days}}';
    const planted = { ...(texts[0] as (typeof texts)[number]), id: 'planted.days', english };
    const added = { 'planted.days': '{n, plural, one {# Tag} other {}}' };
    expect(inIt('de', added, [planted])).toEqual(
      [0, 2, 3, 5, 11, 21, 100, 1.5].map((n) => `planted.days ${n}: `),
    );
  });
});
