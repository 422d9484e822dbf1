// Scores of documents under absolute discounting: Σ over the distinct words of log θ_cw / p_w, where
//   θ_cw / p_w = base_c (1 + gain_cw / p_w),  gain_cw = max(D_cw − δ, 0) / (δ U_c + 1),  base_c = (δ U_c + 1) / (N_c + 1),
// where D_cw is the number of documents of class c with word w, N_c = Σ_w D_cw, U_c the number of words with D_cw > 0, and p_w
// the share of w in all classes together.
//
// If a document's class is given, the document is first subtracted from the counts (leave-one-out). A class costs time only
// for the words that occur in it. The logarithm is taken of products of several factors, which saves most logarithms.
#include "kernels.hpp"

#include <cmath>

#include "bounds.hpp"
#include "parallel.hpp"

namespace suffice {
namespace {

constexpr int64_t kDocuments = 64;
constexpr int64_t kFactors = 16;  // of at most 1e18 each: their product is a double

// The whole table or, if it is larger than the documents, the rows of their words.
void check_table(const Integers& start, const Codes& classes_of, const Codes& ids, int64_t classes) {
    const int64_t entries = classes_of.shape(0);
    if (ids.shape(0) >= start.shape(0)) {
        check_rows(start, entries);
        check_codes("classes of words", classes_of.data(), entries, 0, classes);
        return;
    }
    for (size_t i = 0; i < ids.shape(0); ++i) {
        const int64_t first = start.data()[ids.data()[i]], end = start.data()[ids.data()[i] + 1];
        if (first < 0) out_of_range("cells of words", first, 0, entries);
        if (end > entries) out_of_range("cells of words", end - 1, 0, entries);
        for (int64_t k = first; k < end; ++k)
            if (classes_of.data()[k] < 0 || classes_of.data()[k] >= classes)
                out_of_range("classes of words", classes_of.data()[k], 0, classes);
    }
}

}  // namespace

void discounted_scores(Integers indptr, Codes ids, Integers word_start, Codes word_class, Doubles seen, Doubles total,
                       Doubles class_total, Doubles class_words, double discount, Codes own, Doubles weight,
                       OutDoubleRows out, int threads) {
    const int64_t rows = out.shape(0), classes = out.shape(1);
    const double *D = seen.data(), *N = class_total.data(), *U = class_words.data();
    nb::gil_scoped_release nogil;
    check_rows(indptr, ids.shape(0));
    check_codes("words", ids.data(), ids.shape(0), 0, total.shape(0));
    check_codes("classes of documents", own.data(), rows, -1, classes);
    check_table(word_start, word_class, ids, classes);
    double all = 0.0;
    std::vector<double> base(classes), share(classes);
    for (int64_t c = 0; c < classes; ++c) {
        all += N[c];
        base[c] = std::log((discount * U[c] + 1.0) / (N[c] + 1.0));
        share[c] = 1.0 / (discount * U[c] + 1.0);
    }
    parallel(ceil_div(rows, kDocuments), threads, indptr.data()[rows] * 8, [&](int64_t task) {
        std::vector<double> product(classes);
        for (int64_t r = task * kDocuments; r < std::min(rows, (task + 1) * kDocuments); ++r) {
            const int32_t* words = ids.data() + indptr.data()[r];
            const int64_t size = indptr.data()[r + 1] - indptr.data()[r];
            const int32_t mine = own.data()[r];
            const double w = mine < 0 ? 0.0 : weight.data()[r];
            double my_words = mine < 0 ? 0.0 : U[mine];
            if (mine >= 0)
                for (int64_t i = 0; i < size; ++i)
                    for (int64_t k = word_start.data()[words[i]]; k < word_start.data()[words[i] + 1]; ++k)
                        if (word_class.data()[k] == mine && D[k] - w <= 1e-9 * D[k]) my_words -= 1.0;
            const double my_total = mine < 0 ? 0.0 : N[mine] - w * size, my_share = 1.0 / (discount * my_words + 1.0);
            double* score = out.data() + r * classes;
            std::fill(score, score + classes, 0.0);
            std::fill(product.begin(), product.end(), 1.0);
            int64_t known = 0;
            for (int64_t i = 0; i < size; ++i) {
                const double elsewhere = total.data()[words[i]] - w;
                if (elsewhere <= 1e-9 * total.data()[words[i]]) continue;  // a word of this document alone has no evidence
                const double rarity = (all - w * size) / elsewhere;
                for (int64_t k = word_start.data()[words[i]]; k < word_start.data()[words[i] + 1]; ++k) {
                    const int32_t c = word_class.data()[k];
                    const double excess = (c == mine ? D[k] - w : D[k]) - discount;
                    if (excess > 0.0) product[c] *= 1.0 + excess * rarity * (c == mine ? my_share : share[c]);
                }
                if (++known % kFactors == 0)
                    for (int64_t c = 0; c < classes; ++c) {
                        score[c] += std::log(product[c]);
                        product[c] = 1.0;
                    }
            }
            for (int64_t c = 0; c < classes; ++c)
                score[c] += std::log(product[c]) +
                            known * (c == mine ? std::log((discount * my_words + 1.0) / (my_total + 1.0)) : base[c]);
        }
    });
}

}  // namespace suffice
