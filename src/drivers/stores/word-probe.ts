// Every kind of word that the core treats in a way of its own: should it treat one differently, the words of an index are no
// longer those that its chunks would give, and have to be made again.
export const wordProbe =
  'putDocument XMLHttpRequest2 snake_case2 __init__ $store MAX_RETRY running Crème BRÛLÉE Ærø straße ﬁn 東京都の天気 ' +
  'Поиск Й שלום สวัสดี ΣΊΣΥΦΟΣ 검색엔진 e\u0301 x²½ 1,234.5 a.b-c/d \u{1f980} ' +
  'q'.repeat(90);
