import type { DemoQuestion } from './demo-question.ts';

/** Questions about a figure each, of every paper. */
export const FIGURE_QUESTIONS: readonly DemoQuestion[] = [
  {
    key: 'rainfall',
    tags: ['figures', 'charts'],
    difficulty: 'easy',
    definition: {
      type: 'multiple_response',
      format: 'markdown',
      question: [
        '![Bar chart in millimeters: January 60, February 45, March 50, April 70, May 90, June 30](image:rainfall "Figure 1: rainfall in the first half of a year")',
        'Which statements does the chart support? Select two to four.',
      ].join('\n\n'),
      options: [
        { text: 'May had the most rain.', isCorrect: true },
        { text: 'June had half as much rain as January.', isCorrect: true },
        { text: 'More rain fell in April than in January.', isCorrect: true },
        { text: 'February had less rain than June.', isCorrect: false },
        { text: 'Every month had at least 40 mm.', isCorrect: false },
      ],
      points: 2.5,
      rule: 'per_option',
      minSelections: 2,
      maxSelections: 4,
      explanation: 'June had 30 mm: half of 60 mm, less than February’s 45 mm, and below 40 mm.',
    },
  },
  {
    key: 'triangle',
    tags: ['figures', 'geometry'],
    difficulty: 'easy',
    typed: { right: ['10 cm', '10', '100 mm', '10,0 cm'], wrong: ['14 cm', '48', '100', '7 cm'] },
    definition: {
      type: 'numeric',
      format: 'markdown',
      question: [
        '![A right triangle: the sides at the right angle have 8 cm and 6 cm, the third is c](image:triangle "Figure 2: a right triangle")',
        'How long is the side $c$?',
      ].join('\n\n'),
      options: [],
      points: 2,
      rule: 'all_or_nothing',
      numeric: {
        accepted: [{ value: '10' }],
        units: [
          { unit: 'cm', factor: '1' },
          { unit: 'mm', factor: '0.1' },
          { unit: 'm', factor: '100' },
        ],
      },
      explanation: '$c = \\sqrt{(6\\,\\text{cm})^2 + (8\\,\\text{cm})^2} = 10\\,\\text{cm}$',
    },
  },
  {
    key: 'scatter',
    tags: ['figures', 'charts'],
    difficulty: 'medium',
    definition: {
      type: 'multiple_choice',
      format: 'markdown',
      question: [
        '![Twenty points close to a straight line: the older the car, the lower its price](image:scatter "Figure 3: prices of twenty used cars")',
        'Which coefficient of correlation fits best?',
      ].join('\n\n'),
      options: [
        { text: '$r = -0.98$', isCorrect: true },
        { text: '$r = -0.4$', isCorrect: false },
        { text: '$r = 0$', isCorrect: false },
        { text: '$r = 0.98$', isCorrect: false },
        { text: 'It cannot be told without the units', isCorrect: false, isLast: true },
      ],
      points: 1,
      rule: 'all_or_nothing',
      explanation: 'The points fall, and lie close to a line. A correlation has no unit.',
    },
  },
  {
    key: 'box-plot',
    tags: ['figures', 'charts'],
    difficulty: 'medium',
    definition: {
      type: 'multiple_choice',
      format: 'markdown',
      question: [
        '![Box plot: minimum 10, lower quartile 20, median 30, upper quartile 50, maximum 60](image:box-plot "Figure 4: minutes on the way to work")',
        'About how many people need 20 to 50 minutes?',
      ].join('\n\n'),
      options: [
        { text: 'A quarter', isCorrect: false },
        { text: 'Half', isCorrect: true },
        { text: 'Three quarters', isCorrect: false },
        { text: 'The plot does not show it', isCorrect: false, isLast: true },
      ],
      points: 1,
      rule: 'all_or_nothing',
      explanation: 'The box goes from the lower to the upper quartile, and has the middle half.',
    },
  },
];
