import { expect, test } from 'vitest';
import { markdownFromHtml, markdownFromPlain } from './html-text.ts';

/*
 * Clipboards as programs leave them, with their structure and attributes, made small. Each has the text that
 * a question keeps, and the notes on the rest.
 */

interface Paste {
  html: string;
  text: string;
  notes?: string[];
}

const WORD_HEAD = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><style>
<!-- /* Style Definitions */ p.MsoNormal {margin:0cm; font-size:11.0pt;} @page WordSection1 {size:612.0pt 792.0pt;} --></style></head><body lang=EN-GB>
<!--StartFragment-->`;
const WORD_END = '<!--EndFragment--></body></html>';

const item = (level: number, sign: string, words: string) =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:36.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>${words}<o:p></o:p></p>`;

const CORPUS: Record<string, Paste> = {
  'Word: marks, raised text and a comment': {
    html: `${WORD_HEAD}<p class=MsoNormal>The <b style='mso-bidi-font-weight:normal'>force</b> in <i>N</i>, H<sub>2</sub>O and m<sup>2</sup><span style='color:red'>!</span><o:p></o:p></p>${WORD_END}`,
    text: 'The **force** in *N*, H₂O and m²!',
    notes: ['Text colors were removed.'],
  },
  'Word: lists in lists': {
    html: `${WORD_HEAD}${item(1, 'a)', 'one')}${item(1, 'b)', 'two')}${item(2, '·', 'inner')}${item(1, 'c)', 'three')}${WORD_END}`,
    text: '1. one\n2. two\n   - inner\n3. three',
  },
  'Word: a table with a merged cell': {
    html: `${WORD_HEAD}<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0><tr><td width=301 colspan=2 valign=top><p class=MsoNormal>both<o:p></o:p></p></td></tr><tr><td><p class=MsoNormal align=right style='text-align:right'>1</p></td><td><p class=MsoNormal>2</p></td></tr></table>${WORD_END}`,
    text: '| | |\n| - | - |\n| both | |\n| 1 | 2 |',
    notes: ['Merged cells of a table were separated.'],
  },
  'Word: an equation': {
    html: `${WORD_HEAD}<p class=MsoNormal>so <math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><mi>b</mi></mfrac></math> holds</p>${WORD_END}`,
    text: 'so $\\frac{a}{b}$ holds',
  },
  'Google Docs: marks by style, lists, a table': {
    html: '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-0a"><p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;font-weight:700;">Bold</span><span style="font-size:11pt;font-weight:400;"> and </span><span style="font-size:11pt;font-style:italic;">slanted</span></p><ol style="margin-top:0;"><li dir="ltr" style="list-style-type:decimal;" aria-level="1"><p dir="ltr" role="presentation"><span>one</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span>inner</span></p></li></ul></ol><div dir="ltr" align="left"><table style="border:none;"><colgroup><col /><col /></colgroup><tbody><tr><td><p dir="ltr"><span>a</span></p></td><td><p dir="ltr"><span>b</span></p></td></tr></tbody></table></div></b>',
    text: '**Bold** and *slanted*\n\n1. one\n   - inner\n\n| | |\n| - | - |\n| a | b |',
  },
  'Excel: numbers to the right, empty cells': {
    html: '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!--table {mso-displayed-decimal-separator:"\\.";} .xl65 {color:black;}--></style></head><body link="#0563C1"><table border=0 cellpadding=0 cellspacing=0 width=128 style="border-collapse:collapse"><!--StartFragment--><col width=64 span=2 style="width:48pt"><tr height=20 style="height:15.0pt"><td height=20 width=64>Height</td><td width=64>Time</td></tr><tr height=20><td align=right>20</td><td align=right>2.02</td></tr><tr><td align=right>30</td><td></td></tr><!--EndFragment--></table></body></html>',
    text: '| | |\n| -: | - |\n| Height | Time |\n| 20 | 2.02 |\n| 30 | |',
  },
  'LibreOffice Writer: fonts, a list with paragraphs, code': {
    html: '<!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/><meta name="generator" content="LibreOffice 7.4 (Linux)"/><style type="text/css">p { line-height: 115%; background: transparent }</style></head><body lang="en-US" dir="ltr"><p style="margin-bottom: 0in">A <font color="#c9211e">red</font> <b>word</b></p><ol><li><p style="margin-bottom: 0in">one</p></li><li><p>two</p><p>more of two</p></li></ol><pre class="western">x = 1\n  y</pre></body></html>',
    text: 'A red **word**\n\n1. one\n\n2. two\n\n   more of two\n\n```\nx = 1\n  y\n```',
    notes: ['Text colors were removed.'],
  },
  'Moodle: a filtered formula and an image of the server': {
    html: '<div class="qtext"><p dir="ltr">Let <span class="filter_mathjaxloader_equation"><span class="nolink">\\(x^2\\)</span></span> be <img src="https://moodle.example.org/pluginfile.php/1/question/a.png" alt="a graph" class="img-fluid" width="300" height="200">.</p></div>',
    text: 'Let $x^2$ be a graph.',
    notes: ['The image "a.png" is not in the file and was left out.'],
  },
  'a web page: KaTeX, headings, a script': {
    html: '<h2>Title</h2><p>with <span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x_1</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x1</span></span></p><script>alert(1)</script>',
    text: '**Title**\n\nwith $x_1$',
  },
};

test.each(Object.entries(CORPUS))('%s', (_, { html, text, notes = [] }) => {
  const read = markdownFromHtml(html, () => null);
  expect({ text: read.text, notes: read.notes }).toEqual({ text, notes });
});

test('a PDF of LaTeX: lines as they are, signs escaped, ligatures kept', () => {
  expect(markdownFromPlain('The coeﬃcient a_1 is\n5 % of x ∈ R.\n1. First *')).toBe(
    'The coeﬃcient a_1 is\\\n5 % of x ∈ R.\\\n1\\. First \\*',
  );
});
