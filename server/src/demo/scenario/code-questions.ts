import type { DemoQuestion } from './demo-question.ts';

/** Questions about code and tables, from which papers draw. */
export const CODE_QUESTIONS: readonly DemoQuestion[] = [
  {
    key: 'has-twice',
    tags: ['code', 'python'],
    difficulty: 'hard',
    definition: {
      type: 'multiple_response',
      format: 'markdown',
      question: [
        'This function tells whether a list has the same value twice:',
        '```python\ndef has_twice(values):\n    for i in range(len(values)):\n        for j in range(i + 1, len(values)):\n            if values[i] == values[j]:\n                return True\n    return False\n```',
        'Which changes make it faster for long lists of numbers?',
      ].join('\n\n'),
      options: [
        { text: 'Keep the values seen so far in a set', isCorrect: true, weight: 60 },
        { text: 'Sort the list first, then compare neighbors', isCorrect: true, weight: 40 },
        { text: 'Write the inner loop with `while`', isCorrect: false, weight: -30 },
        { text: 'Begin the inner loop at `0`', isCorrect: false, weight: -50 },
      ],
      points: 1.5,
      rule: 'weights',
      explanation:
        'Two nested loops take $O(n^2)$ steps. Sorting takes $O(n \\log n)$, a set $O(n)$ on average. Beginning at `0` even gives wrong results: every value equals itself.',
    },
  },
  {
    key: 'group-by',
    tags: ['code', 'sql'],
    difficulty: 'medium',
    definition: {
      type: 'multiple_choice',
      format: 'markdown',
      question: [
        'The table `orders`:',
        '| id | customer | amount |\n| ---: | :--- | ---: |\n| 1 | Ada | 40 |\n| 2 | Ben | 25 |\n| 3 | Ada | 35 |\n| 4 | Cleo | 10 |',
        '```sql\nSELECT customer, SUM(amount) AS total\nFROM orders\nGROUP BY customer\nHAVING SUM(amount) > 20\nORDER BY total DESC;\n```',
        'Which rows does the query return, in this order?',
      ].join('\n\n'),
      options: [
        { text: 'Ada 75, Ben 25', isCorrect: true },
        { text: 'Ben 25, Ada 75', isCorrect: false },
        { text: 'Ada 75, Ben 25, Cleo 10', isCorrect: false },
        { text: 'Ada 40, Ada 35, Ben 25', isCorrect: false },
        { text: 'None: the query is not valid', isCorrect: false, isLast: true },
      ],
      points: 1.5,
      rule: 'all_or_nothing',
      explanation: '`HAVING` leaves out groups, so Cleo’s 10 is missing; `DESC` is largest first.',
    },
  },
  {
    key: 'last-name',
    tags: ['code', 'javascript'],
    difficulty: 'easy',
    typed: { right: ['BEN'], wrong: ['Ben', 'ADA', 'undefined', 'ben'] },
    definition: {
      type: 'short_text',
      format: 'markdown',
      question:
        "```js\nconst names = ['Ada', 'Ben'];\nconsole.log(names.at(-1).toUpperCase());\n```\n\nWhat does this print?",
      options: [],
      points: 1.5,
      rule: 'all_or_nothing',
      shortText: { accepted: [{ text: 'BEN' }], isCaseSensitive: true },
      explanation: '`at(-1)` is the last element.',
    },
  },
  {
    key: 'mean-and-median',
    tags: ['tables', 'statistics'],
    difficulty: 'easy',
    definition: {
      type: 'true_false',
      format: 'markdown',
      question:
        '| Group | Values |\n| --- | --- |\n| A | 2, 4, 6 |\n| B | 1, 4, 10 |\n\nBoth groups have the same median, but the mean of **B** is larger.',
      options: [
        { text: 'True', isCorrect: true },
        { text: 'False', isCorrect: false },
      ],
      points: 1.5,
      rule: 'all_or_nothing',
      explanation: 'Both medians are 4. The means are 4 and 5.',
    },
  },
];
