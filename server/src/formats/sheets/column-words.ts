import type { ColumnUse } from '@invigil/core/domain/questions/question-files';

/**
 * Heads of columns as people write them, in English, German, French, Spanish, Italian, Portuguese, Dutch,
 * Polish and Russian; of a use that only one column can have, the likelier ones first.
 */
const WORDS: [use: ColumnUse, words: string][] = [
  [
    'question',
    `question text, question stem, stem, fragetext, aufgabentext, texte de la question, énoncé,
     texto de la pregunta, enunciado, testo della domanda, текст вопроса`,
  ],
  [
    'question',
    `question, questions, question en, frage, fragen, fragestellung, aufgabe, aufgabenstellung, pregunta,
     preguntas, intitulé, libellé, domanda, pergunta, questão, vraag, pytanie, вопрос, prompt`,
  ],
  ['question', 'item, text, texte, texto, testo'],
  [
    'answer',
    `correct answer, correct answers, correct option, correct options, correct choice, correct response,
     right answer, right answers, answer key, key, correct, solution, solutions, correct letter,
     richtige antwort, richtige antworten, richtige lösung, korrekte antwort, korrekte antworten, richtig,
     korrekt, lösung, lösungen, lösungsbuchstabe, bonne réponse, bonnes réponses, réponse correcte,
     réponses correctes, réponse exacte, réponse juste, corrigé, clé, respuesta correcta,
     respuestas correctas, opción correcta, correcta, correcto, clave, solución, risposta corretta,
     soluzione, corretta, resposta correta, resposta certa, gabarito, juiste antwoord, correct antwoord,
     poprawna odpowiedź, правильный ответ, верный ответ, ключ`,
  ],
  [
    'answer',
    `answer, answers, ans, response, antwort, antworten, réponse, réponses, respuesta, respuestas, risposta,
     resposta, antwoord, odpowiedź, ответ`,
  ],
  [
    'option',
    `option, options, choice, choices, alternative, alternatives, distractor, distractors, auswahl,
     antwortmöglichkeit, antwortmöglichkeiten, antwortoption, antwortoptionen, antwortalternative, choix,
     proposition, propositions, opción, opciones, alternativa, alternativas, opzione, opzioni, opção,
     opções, optie, wariant, вариант, вариант ответа, варианты ответа`,
  ],
  [
    'points',
    `points, point, pts, marks, mark, score, max points, maximum points, max score, max marks, credit,
     default mark, grade, default grade, value, punkte, punkt, punktzahl, punktwert, max punkte, bewertung,
     barème, nombre de points, puntos, punto, puntuación, puntaje, valor, punti, punteggio, pontos,
     pontuação, punten, punkty, баллы, балл`,
  ],
  [
    'explanation',
    `explanation, explanations, feedback, general feedback, rationale, justification, answer explanation,
     erklärung, erläuterung, begründung, rückmeldung, explication, explications, rétroaction, corrigé
     détaillé, explicación, retroalimentación, justificación, spiegazione, explicação, uitleg,
     wyjaśnienie, объяснение, пояснение`,
  ],
  [
    'tags',
    `tags, tag, keywords, keyword, labels, label, schlagwort, schlagworte, schlagwörter, stichwort,
     stichworte, stichwörter, mots clés, mot clé, étiquettes, étiquette, etiquetas, etiqueta,
     palabras clave, palabra clave, parole chiave, palavras chave, trefwoorden, tagi, теги`,
  ],
  [
    'category',
    `category, topic, chapter, kategorie, thema, kapitel, catégorie, thème, chapitre, categoría, tema,
     capítulo, categoria, categorie, kategoria, категория, тема`,
  ],
  [
    'type',
    `type, question type, item type, typ, fragetyp, fragentyp, fragentypus, aufgabentyp, type de question,
     tipo, tipo de pregunta, tipo di domanda, тип, тип вопроса`,
  ],
  [
    'number',
    `number, no, nr, num, id, n, question number, question no, question nr, question id, question num, q no,
     item no, item number, s no, sl no, serial no, nummer, lfd nr, laufende nummer, frage nr,
     fragennummer, numéro, numéro de question, numero, número, número de pregunta, numer, номер, №`,
  ],
];

/** How a head is compared: without case, accents and signs; `option1` and `optionA` have two words. */
export function plainHead(head: string): string {
  return head
    .replace(/#|№/g, ' no ')
    .replace(/(\p{Ll})(?=[\p{Lu}\d])/gu, '$1 ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim();
}

const USES = new Map<string, { use: ColumnUse; rank: number }>();
WORDS.forEach(([use, words], rank) => {
  for (const word of words.split(',')) {
    const plain = plainHead(word);
    if (!USES.has(plain)) USES.set(plain, { use, rank });
  }
});

/** The use of a column by its head, and how likely: the smaller the rank the likelier. */
export function headUse(plain: string): { use: ColumnUse; rank: number } | null {
  return USES.get(plain) ?? null;
}

/** `option a`, `2 antwort`, `(c)`: the letter or number of the option, `''` for one without; else null. */
export function optionLabel(plain: string): string | null {
  const own = /^(?:\p{L}|\d{1,2})$/u;
  const [label = '', ...others] = plain.split(' ').reverse();
  const [first = '', ...rest] = plain.split(' ');
  if (own.test(plain)) return /^[a-j1-9]|^[абвгдежзαβγδεζ]/.test(plain) ? plain : null;
  if (own.test(label) && isOption(others.reverse().join(' '))) return label;
  return own.test(first) && isOption(rest.join(' ')) ? first : null;
}

/** Words that name an option when a letter or number is with them. */
function isOption(plain: string): boolean {
  const found = USES.get(plain);
  return (
    found?.use === 'option' || found?.rank === WEAK_ANSWER || plain === 'antw' || plain === 'opt'
  );
}

/** "Answer": the key, or an option where another column is the key. */
export const WEAK_ANSWER = WORDS.findLastIndex(([use]) => use === 'answer');

/** "Correct option no.", "Answer (1-4)": the key is the place of an option. */
export function saysPlace(head: string): boolean {
  if (/\b1\s*(?:-|–|to|bis|à|a)\s*[2-9]\b/i.test(head)) return true;
  const words = plainHead(head).split(' ');
  const isNumber = (word: string) =>
    /^(?:number|no|nr|num|index|position|place|nummer|numero|stelle|indice|posicion|номер)$/.test(
      word,
    );
  return (
    words.some(isNumber) &&
    headUse(words.filter((word) => !isNumber(word)).join(' '))?.use === 'answer'
  );
}
