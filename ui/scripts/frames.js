// The frame around the pages of an area, beside what every page loads.

/** @type {Record<string, string[]>} */
export const frames = {
  public: [],
  account: ['accounts/AccountLayout'],
  student: ['students/StudentLayout'],
  office: ['staff/OfficeLayout'],
};
