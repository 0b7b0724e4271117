import { compileText } from '@invigil/core/texts/catalogue';

/** A compiled message: words, values, and values with a text for each form. */
type Tokens = string | readonly Token[];
type Token = string | readonly [name: string, type?: string, forms?: unknown];

/** Words that are the same in every language. */
const SAME = /Invigil|Moodle|Markdown|LaTeX|USB|CSV|XLSX|PDF|QTI|GIFT|HTML|OK|your@address/g;

/** Letters of a language that is not written in Latin ones. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  zh: /\p{Script=Han}/u,
};

/**
 * Where a translation does not fit its English: values, elements, the plural forms of its language, words that
 * nobody has translated.
 */
export function translationProblems(english: string, text: string, language: string): string[] {
  let tokens: Tokens;
  try {
    tokens = compileText(text) as Tokens;
  } catch (error) {
    return [`is no ICU message: ${(error as Error).message}`];
  }
  const own = compileText(english) as Tokens;
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const problems = [
    ...differences('value', [...new Set(valuesIn(own))], [...new Set(valuesIn(tokens))]),
    ...differences('element', elementsIn(english), elementsIn(text)),
    ...missingForms(tokens, categories),
  ];
  if (text.trim() !== text || /\s\s/.test(text)) problems.push('has spaces too many');
  const words = wordsOf(own).join(' ').replaceAll(SAME, '');
  const script = SCRIPTS[language];
  if (/\p{L}{3}/u.test(words) && script !== undefined && !script.test(text)) {
    problems.push('is not translated');
  }
  return problems;
}

const differences = (kind: string, wanted: string[], found: string[]): string[] => [
  ...wanted.filter((one) => !found.includes(one)).map((one) => `lacks the ${kind} ${one}`),
  ...found.filter((one) => !wanted.includes(one)).map((one) => `has a ${kind} ${one} of its own`),
];

const formsOf = (token: Token): [string, Tokens][] =>
  typeof token !== 'string' && typeof token[2] === 'object' && token[2] !== null
    ? Object.entries(token[2] as Record<string, Tokens>).filter(([form]) => form !== 'offset')
    : [];

/** The names of the values in a compiled message. */
export function valuesIn(tokens: Tokens): string[] {
  if (typeof tokens === 'string') return [];
  return tokens.flatMap((token) =>
    // `#` is the value of the plural around it.
    typeof token === 'string'
      ? []
      : [token[0], ...formsOf(token).flatMap(([, inner]) => valuesIn(inner))],
  );
}

function wordsOf(tokens: Tokens): string[] {
  if (typeof tokens === 'string') return [tokens];
  return tokens.flatMap((token) =>
    typeof token === 'string' ? [token] : formsOf(token).flatMap(([, inner]) => wordsOf(inner)),
  );
}

const elementsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/<\/?(\w+)>/g)].map(([tag]) => tag)),
];

function missingForms(tokens: Tokens, categories: readonly string[]): string[] {
  if (typeof tokens === 'string') return [];
  return tokens.flatMap((token) => {
    const forms = formsOf(token);
    const missing =
      typeof token !== 'string' && token[1] === 'plural'
        ? categories.filter((category) => !forms.some(([form]) => form === category))
        : [];
    return [
      ...missing.map((category) => `lacks the plural form ${category} of ${token[0]}`),
      ...forms.flatMap(([, inner]) => missingForms(inner, categories)),
    ];
  });
}
