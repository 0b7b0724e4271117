import { CODE_QUESTIONS } from './code-questions.ts';
import type { BankOfScenario, DemoQuestion } from './demo-question.ts';
import { FIGURE_QUESTIONS } from './figure-questions.ts';

const SCIENCE_QUESTIONS: readonly DemoQuestion[] = [
  {
    key: 'parallel',
    tags: ['science', 'electricity'],
    difficulty: 'medium',
    typed: { right: ['2 Ω', '2', '2,0 Ω', '2 ohm'], wrong: ['9 Ω', '4.5 Ω', '0.5 Ω', '18'] },
    definition: {
      type: 'numeric',
      format: 'markdown',
      question: [
        'Two resistors are connected to a battery.',
        '![A battery and two resistors in parallel: R₁ has 6 Ω, R₂ has 3 Ω](image:circuit "Figure 1: the circuit")',
        'What is their total resistance?',
      ].join('\n\n'),
      options: [],
      points: 1.5,
      rule: 'all_or_nothing',
      numeric: {
        accepted: [{ value: '2', tolerancePercent: '1' }],
        units: [
          { unit: 'Ω', factor: '1' },
          { unit: 'ohm', factor: '1' },
          { unit: 'kΩ', factor: '1000' },
        ],
      },
      explanation:
        'In parallel the reciprocals add up:\n\n$$\\frac{1}{R} = \\frac{1}{6\\,\\Omega} + \\frac{1}{3\\,\\Omega} = \\frac{1}{2\\,\\Omega}$$',
    },
  },
  {
    key: 'derivative',
    tags: ['science', 'analysis'],
    difficulty: 'hard',
    definition: {
      type: 'multiple_choice',
      format: 'markdown',
      question: 'What is the derivative of $f(x) = x^2 e^x$?',
      options: [
        { text: '$2x \\, e^x$', isCorrect: false },
        { text: '$(x^2 + 2x) \\, e^x$', isCorrect: true },
        { text: '$x^2 e^x + 2x$', isCorrect: false },
        { text: '$x^3 e^{x-1} + 2x$', isCorrect: false },
      ],
      points: 2,
      rule: 'all_or_nothing',
      explanation: "The product rule: $(uv)' = u'v + uv'$ with $u = x^2$ and $v = e^x$.",
    },
  },
  {
    key: 'combustion',
    tags: ['science', 'chemistry'],
    difficulty: 'easy',
    typed: {
      right: ['water', 'H2O', 'Water'],
      wrong: ['hydrogen', 'carbon monoxide', 'H2', 'steam'],
    },
    note: '“Steam” gets half: right in the flame, but the question asks for the substance.',
    definition: {
      type: 'short_text',
      format: 'markdown',
      question:
        'Methane burns completely:\n\n$$\\mathrm{CH_4 + 2\\,O_2 \\longrightarrow CO_2 + 2\\,X}$$\n\nWhich substance is **X**? Enter its name or formula.',
      options: [],
      points: 1.5,
      rule: 'weights',
      shortText: {
        accepted: [
          { text: 'water', weight: 100 },
          { text: 'H2O', weight: 100 },
          { text: 'H₂O', weight: 100 },
          { text: 'steam', weight: 50 },
        ],
      },
      explanation: 'Four hydrogen and two oxygen atoms are left for two X: $\\mathrm{H_2O}$.',
    },
  },
  {
    key: 'cubic',
    tags: ['science', 'algebra'],
    difficulty: 'medium',
    definition: {
      type: 'multiple_response',
      format: 'markdown',
      question: 'Which numbers solve $x^3 - 4x = 0$? Select all that do.',
      options: ['$-2$', '$0$', '$1$', '$2$', '$4$'].map((text) => ({
        text,
        isCorrect: ['$-2$', '$0$', '$2$'].includes(text),
      })),
      points: 1.5,
      rule: 'right_minus_wrong',
      explanation: '$x^3 - 4x = x \\, (x - 2) \\, (x + 2)$, and a product is 0 when a factor is.',
    },
  },
  {
    key: 'two-dice',
    tags: ['science', 'probability'],
    difficulty: 'hard',
    typed: {
      right: ['0.306', '0,31', '30.6 %', '0.3056'],
      wrong: ['0.33', '33 %', '0.17', '0.028'],
    },
    definition: {
      type: 'numeric',
      format: 'markdown',
      question:
        'A fair die is rolled twice. How likely is *at least one* six? Two decimals are enough.',
      options: [],
      points: 2,
      rule: 'all_or_nothing',
      numeric: {
        accepted: [{ min: '0.30', max: '0.31' }],
        units: [{ unit: '%', factor: '0.01' }],
      },
      explanation:
        '$$1 - \\left(\\frac{5}{6}\\right)^2 = \\frac{11}{36} \\approx 0.306$$\n\nAdding the two chances of $\\frac{1}{6}$ counts a double six twice.',
    },
  },
  {
    key: 'root-of-a-sum',
    tags: ['science', 'algebra'],
    difficulty: 'easy',
    definition: {
      type: 'true_false',
      format: 'markdown',
      question: 'For all $a, b \\ge 0$: $\\sqrt{a^2 + b^2} = a + b$',
      options: [
        { text: 'True', isCorrect: false },
        { text: 'False', isCorrect: true },
      ],
      points: 1.5,
      rule: 'all_or_nothing',
      explanation: 'With $a = 3$ and $b = 4$ the root is 5, and the sum 7.',
    },
  },
];

/**
 * Figures for everyone, the rest drawn by tag and difficulty. What one rule draws from has equal points, so
 * that every paper has the same total.
 */
export const SCIENCE_BANK: BankOfScenario = {
  questions: [...FIGURE_QUESTIONS, ...SCIENCE_QUESTIONS, ...CODE_QUESTIONS],
  structure: (idOf) => ({
    sections: [
      {
        title: 'Reading figures',
        isShuffled: false,
        items: FIGURE_QUESTIONS.map(({ key }) => ({ questionId: idOf(key) })),
      },
      {
        title: 'Mathematics and science',
        isShuffled: true,
        items: [
          { count: 3, from: { tags: ['science'], difficulties: ['easy', 'medium'] } },
          { count: 1, from: { tags: ['science'], difficulties: ['hard'] } },
        ],
      },
      {
        title: 'Code and tables',
        isShuffled: true,
        items: [{ count: 3, from: { tags: ['code', 'tables'] } }],
      },
    ],
  }),
  negativeMarks: { percent: 25, floor: 'question' },
};
