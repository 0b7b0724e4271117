import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileText, readCatalogue } from '@invigil/core/texts/catalogue';
import { isPseudo, LANGUAGE_TAGS, PSEUDO } from '@invigil/core/texts/languages';
import { pseudoText } from '@invigil/core/texts/pseudo';
import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree, Plugin, Rolldown } from 'vite';

/** A text as it stands in the source. */
export interface SourceText {
  id: string;
  english: string;
  /** Says to translators where the text stands. */
  comment: string | undefined;
  /** Names of its values; null where they are not written out. */
  values: string[] | null;
  line: number;
  /** Whether it is read when its module is loaded: before the language is known. */
  isEarly: boolean;
  /** There is little room where it stands. */
  narrow: Narrow | undefined;
  /** The places of the id and of the English; `rest` stands in place of the latter in a build. */
  idAt: Span;
  cut: Span & { rest: string };
}

/** On a button, or at the head of a column. */
export type Narrow = 'button' | 'head';

interface Span {
  from: number;
  to: number;
}

type Found = Omit<SourceText, 'id' | 'english' | 'line' | 'isEarly' | 'narrow'>;

/**
 * The texts of a source file: calls of `t` (core/src/texts/i18n.ts) and elements `Trans`.
 *
 * @throws SyntaxError where an id or its English is not written out
 */
export function textsIn(file: string, code: string): SourceText[] {
  const texts: SourceText[] = [];
  if (!/\bt\(|<Trans\b/.test(code)) return texts;
  const { program, comments, errors } = parseSync(file, code);
  if (errors[0] !== undefined) throw new SyntaxError(`${file}: ${errors[0].message}`);
  const add = (
    start: number,
    id: string | undefined,
    english: string | undefined,
    found: Found,
  ) => {
    const line = code.slice(0, start).split('\n').length;
    if (id === undefined || english === undefined) {
      throw new SyntaxError(`${file}:${line}: the id and the English of a text are written out`);
    }
    const isEarly = !functions.some(({ from, to }) => from <= start && start < to);
    const narrow = narrows.find(({ from, to }) => from <= start && start < to)?.kind;
    texts.push({ id, english, line, isEarly, narrow, ...found });
  };
  const narrows: (Span & { kind: Narrow })[] = [];
  const functions: Span[] = [];
  const enter = ({ start: from, end: to }: { start: number; end: number }) => {
    functions.push({ from, to });
  };
  new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    JSXElement({ openingElement: { name }, children }) {
      const kind = name.type === 'JSXIdentifier' ? narrowOf(name.name) : undefined;
      const [first] = children;
      const last = children.at(-1);
      if (kind && first && last) narrows.push({ kind, from: first.start, to: last.end });
    },
    Property({ key, value: { start: from, end: to } }) {
      if (key.type === 'Identifier' && key.name === 'head')
        narrows.push({ kind: 'head', from, to });
    },
    CallExpression({ callee, arguments: given, start }) {
      if (callee.type !== 'Identifier' || callee.name !== 't') return;
      const [id, english, values] = given;
      if (id === undefined || english === undefined) return;
      const about = comments.find((one) => one.start >= start && one.end <= id.start);
      add(start, literal(id), literal(english), {
        comment: about?.value.trim(),
        values: namesIn(values),
        idAt: spanOf(id),
        cut:
          values === undefined
            ? { from: id.end, to: english.end, rest: '' }
            : { from: english.start, to: english.end, rest: 'undefined' },
      });
    },
    JSXOpeningElement({ name, attributes, start }) {
      if (name.type !== 'JSXIdentifier' || name.name !== 'Trans') return;
      const named = new Map(
        attributes.flatMap((one) =>
          one.type === 'JSXAttribute' ? [[String(one.name.name), one] as const] : [],
        ),
      );
      const attribute = (key: string) => named.get(key)?.value ?? undefined;
      add(start, literal(attribute('id')), literal(attribute('message')), {
        comment: literal(attribute('comment')),
        values: namesIn(attribute('values')),
        idAt: spanOf(attribute('id')),
        cut: { ...spanOf(named.get('message')), rest: '' },
      });
    },
  }).visit(program);
  return texts;
}

const narrowOf = (element: string): Narrow | undefined =>
  /Button$/.test(element) ? 'button' : /^(?:HeadCell|th)$/.test(element) ? 'head' : undefined;

const spanOf = (node: Partial<{ start: number; end: number }> = {}): Span => ({
  from: node.start ?? 0,
  to: node.end ?? 0,
});

function literal(node: ESTree.Node | undefined): string | undefined {
  if (node?.type === 'JSXExpressionContainer') return literal(node.expression);
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) {
    return node.quasis[0]?.value.cooked ?? undefined;
  }
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function namesIn(node: ESTree.Node | undefined): string[] | null {
  if (node === undefined) return [];
  if (node.type === 'JSXExpressionContainer') return namesIn(node.expression);
  if (node.type !== 'ObjectExpression') return null;
  const names = node.properties.map((one) =>
    one.type === 'Property' && one.key.type === 'Identifier' ? one.key.name : null,
  );
  return names.includes(null) ? null : names.filter((name) => name !== null);
}

/** Files of core and web whose texts only administrators see. */
const PORTAL_ONLY = [
  /^web\/src\/(?:admin\/|app\/(?:admin-routes|frame\/admin-))/,
  /^core\/src\/contract\/(?:accounts\/admins|definition\/errors|invitations\/)/,
  /^core\/src\/contract\/assessments\/(?:bank|imports|questions|structure)/,
  /^core\/src\/contract\/installation\/(?:retention|smtp-settings)/,
  /^core\/src\/contract\/review\/(?:live|participants|results)/,
  /^core\/src\/texts\/(?:addresses|people-rows|policy-form|slip)/,
  /^core\/src\/domain\/(?:people|questions\/(?:question-csv|validate-definition))/,
];

/** `test`: for every page; `candidate`: for sign-in, the rest of an attempt, and the portal. */
export const PARTS = ['test', 'candidate', 'portal', 'server'] as const;
export type Part = (typeof PARTS)[number];

/** Files of candidates that the test itself does not need: it is to be here soonest. */
const BESIDE_THE_TEST = [
  /^web\/src\/(?:public|candidate\/(?:entry|device-check|outcome|practice))\//,
  /^web\/src\/candidate\/notices\/(?:detected-strip|violation-notices)/,
  /^web\/src\/candidate\/(?:preview-screen|test\/(?:review-screen|feedback-dialog|help))/,
  /^web\/src\/question-view\/(?:preview-paper|result-view|richer-answers|row-answers)/,
  /^web\/src\/ui\/(?:badges\/badge|bar-chart|public-page|tables\/|fields\/(?:password|tag|select|search))/,
  /^web\/src\/lib\/(?:signal-labels|receipt)/,
  /^core\/src\/texts\/(?:policy|certificate|detected)/,
];

/** Begins the ids of what only administrators see, in files of core that candidates load too. */
const PORTAL_IDS =
  /^(?:definition|content|converted|csv|structure|role|peopleField|invitationReason|changedOutside|flagNote|smtpAdvice|formula|grades|field|mail(?:Refusal|Failure|Fault|Advice|Why|Canceled))\./;

/** Our own sources, without tests, by their paths in the repository. */
export const sourceFiles = (): string[] =>
  globSync(['core/src/**/*.ts', 'server/src/**/*.ts', 'web/src/**/*.{ts,tsx}'], { cwd: ROOT })
    .filter((file) => !/\.test\.tsx?$|\/testing\/|\.d\.ts$/.test(file))
    .sort();

/** The texts of all of them. Throws as `textsIn`. */
export const allTexts = (): (SourceText & { file: string })[] =>
  sourceFiles().flatMap((file) =>
    textsIn(file, readFileSync(`${ROOT}${file}`, 'utf8')).map((text) => ({ ...text, file })),
  );

/**
 * The catalogue that has each text, by its id. A text that several parts have is in the one that more pages load;
 * the server reads all of them.
 */
export function partsOf(texts: readonly { file: string; id: string }[]): Map<string, Part> {
  const parts = new Map<string, Part>();
  for (const { file, id } of texts) {
    const known = parts.get(id) ?? 'server';
    const part = partOf(file, id);
    parts.set(id, PARTS.indexOf(part) < PARTS.indexOf(known) ? part : known);
  }
  return parts;
}

function partOf(file: string, id: string): Part {
  if (file.startsWith('server/')) return 'server';
  const isOfPortal = id.startsWith('portal.') || (file.startsWith('core/') && PORTAL_IDS.test(id));
  if (isOneOf(PORTAL_ONLY, file) || isOfPortal) return 'portal';
  return isOneOf(BESIDE_THE_TEST, file) ? 'candidate' : 'test';
}

const isOneOf = (patterns: readonly RegExp[], file: string) =>
  patterns.some((pattern) => pattern.test(file));

const OWN = /\/(?:web|core)\/src\/.*\.tsx?$/;
const ENGLISH = /\/core\/src\/texts\/english\.ts$/;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOCALES = `${ROOT}core/locales/`;
/** Pages load these. */
const LOADED = ['test', 'candidate', 'portal'] as const;

const readPart = (language: string, part: string) =>
  readCatalogue(readFileSync(`${LOCALES}${language}/${part}.po`, 'utf8'));

/** The texts of a part by id; English where there are no others. */
function textsOf(language: string, part: string): Record<string, string> {
  const english = readPart('en', part);
  if (!isPseudo(language)) return { ...english, ...readPart(language, part) };
  return Object.fromEntries(
    Object.entries(english).map(([id, text]) => [id, pseudoText(text, language)]),
  );
}

/** Most texts are words alone, which Lingui has as a list of one. */
function compactly(compiled: ReturnType<typeof compileText>) {
  const [only] = compiled;
  return compiled.length === 1 && typeof only === 'string' ? only : compiled;
}

/** The modules with a fetch for each catalogue, and the catalogues themselves: `catalogues:ar/portal`. */
const LIST = 'catalogues:list';
const MORE = 'catalogues:more';
export const CATALOGUE = /^\0catalogues:([\w-]+)\/(\w+)$/;

/**
 * Catalogues as modules, and in a build neither English nor ids in the code: a page loads the texts of one
 * language only, English too, and a text is found by its place in the list of all.
 */
export function texts(): Plugin[] {
  /** Known in a build alone. */
  let places: Map<string, number> | undefined;
  const placeOf = (id: string): number => {
    const place = places?.get(id);
    if (place === undefined) throw new Error(`${id} is in no catalogue: npm run texts`);
    return place;
  };
  return [
    {
      name: 'catalogues',
      enforce: 'pre',
      generateBundle(_, bundle) {
        const strays = portalTextsOfCandidates(bundle);
        if (strays.length > 0)
          this.error(`candidates load texts of the portal: ${strays.join(', ')}`);
      },
      configResolved({ command }) {
        if (command !== 'build') return;
        const ids = LOADED.flatMap((part) => Object.keys(readPart('en', part)));
        places = new Map(ids.map((id, place) => [id, place]));
      },
      resolveId: (id) => (id.startsWith('catalogues:') ? `\0${id}` : null),
      load(id) {
        if (id === `\0${LIST}` || id === `\0${MORE}`) {
          return { code: listOfCatalogues(id === `\0${LIST}`), map: null };
        }
        const [, language, part] = CATALOGUE.exec(id) ?? [];
        if (language === undefined || part === undefined) return null;
        const compiled = Object.entries(textsOf(language, part)).map(
          ([name, text]) => [name, compactly(compileText(text))] as const,
        );
        // Browsers read JSON faster than an object literal.
        const parsed = (value: unknown) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
        const [first] = compiled;
        const list = parsed(compiled.map(([, text]) => text));
        const key =
          places === undefined || first === undefined
            ? `${parsed(compiled.map(([name]) => name))}[i]`
            : `i + ${placeOf(first[0])}`;
        const entry = `[${key}, typeof text === 'string' ? [text] : text]`;
        const code = `export default Object.fromEntries(${list}.map((text, i) => ${entry}));`;
        return { code, map: null };
      },
    },
    {
      name: 'without-english',
      apply: 'build',
      enforce: 'pre',
      transform(code, id) {
        const [file = ''] = id.split('?');
        if (ENGLISH.test(file)) return { code: 'export const compiled = undefined;', map: null };
        if (!OWN.test(file)) return null;
        const cuts = textsIn(file, code).flatMap(({ id: name, idAt, cut }) => [
          { ...idAt, rest: `'${placeOf(name)}'` },
          // From the end of the id on, so that the comma goes too.
          cut,
        ]);
        const rest = cuts
          .toSorted((a, b) => b.from - a.from)
          .reduce((left, cut) => left.slice(0, cut.from) + cut.rest + left.slice(cut.to), code);
        return cuts.length === 0 ? null : { code: rest, map: null };
      },
    },
  ];
}

/** Fetches by part and tag: what candidates need, or the rest, so that they do not load its list. */
function listOfCatalogues(isForCandidates: boolean): string {
  const listed = LOADED.map((part) => {
    const tags = isForCandidates
      ? part === 'portal'
        ? []
        : LANGUAGE_TAGS
      : [...(part === 'portal' ? LANGUAGE_TAGS : []), ...Object.values(PSEUDO)];
    const fetches = tags.map((tag) => `'${tag}': () => import('catalogues:${tag}/${part}')`);
    return `${part}: { ${fetches.join(', ')} }`;
  });
  return `export default { ${listed.join(', ')} };`;
}

/** Files with texts of the portal in scripts that pages of candidates can load. */
function portalTextsOfCandidates(bundle: Rolldown.OutputBundle): string[] {
  const chunkOf = (name: string) => {
    const file = bundle[name];
    return file?.type === 'chunk' ? [file] : [];
  };
  const loaded = new Set(
    Object.values(bundle).filter((file) => file.type === 'chunk' && file.isEntry),
  ) as Set<Rolldown.OutputChunk>;
  for (const { imports, dynamicImports } of loaded) {
    for (const chunk of [...imports, ...dynamicImports].flatMap(chunkOf)) {
      if (!chunk.moduleIds.some((id) => /\/web\/src\/app\/admin-routes\.tsx$/.test(id)))
        loaded.add(chunk);
    }
  }
  return [...loaded].flatMap(({ modules }) =>
    Object.entries(modules).flatMap(([id, { renderedLength }]) => {
      const file = relative(ROOT, id);
      const isStray = renderedLength > 0 && OWN.test(id) && isOneOf(PORTAL_ONLY, file);
      return isStray && textsIn(file, readFileSync(id, 'utf8')).length > 0 ? [file] : [];
    }),
  );
}
