/** "1 question", "3 questions". With the words of a sentence: "3 questions were moved." */
export function questionsWords(count: number, one = '', many = '', rest = ''): string {
  const subject = `${count.toLocaleString('en-GB')} ${count === 1 ? 'question' : 'questions'}`;
  return [subject, count === 1 ? one : many, rest].filter(Boolean).join(' ');
}
